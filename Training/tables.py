"""Reading and writing the binary table files (little endian); README.md describes the layout."""

from dataclasses import dataclass, field

import numpy as np

from network import PLANES

MAGIC = b"DUOTABL1"
KIND_NETWORK, KIND_CLASS, KIND_PHASE = 1, 2, 3
ACCUMULATOR_LIMIT = 2**31
INPUT_LIMIT = 32767  # largest magnitude of z and of an activation


@dataclass
class Layer:
    """Integer convolution: weights (outputs, 3, 3, inputs), biases that include the rounding half, right shift."""

    weights: np.ndarray
    bias: np.ndarray
    shift: int


@dataclass
class NetworkTable:
    """Hidden layers, the last layer (no inputs when there are no hidden ones) and the skip (outputs, 3, 3, 16)."""

    pattern: int
    sigma: float
    hidden: list = field(default_factory=list)
    last: Layer = None
    skip: np.ndarray = None


def check_bounds(table):
    """Raises when a number does not fit its type or an Int32 sum could overflow for any input."""
    for layer in [*table.hidden, table.last]:
        sums = np.abs(layer.weights).sum((1, 2, 3), dtype=np.int64)
        if layer is table.last:
            sums = sums + np.abs(table.skip).sum((1, 2, 3), dtype=np.int64)
        worst = (sums * INPUT_LIMIT + np.abs(layer.bias.astype(np.int64))).max()
        if worst >= ACCUMULATOR_LIMIT or not 0 <= layer.shift < 32:
            raise ValueError(f"a sum may reach {worst}, beyond Int32")
    for weights in [*(layer.weights for layer in table.hidden), table.last.weights, table.skip]:
        if weights.size and np.abs(weights).max() > INPUT_LIMIT:
            raise ValueError("a weight exceeds Int16")


def _numbers(kind, pattern, sigma):
    return MAGIC + np.array([kind, pattern, round(sigma * 100)], "<i4").tobytes()


def _layer_bytes(layer, inputs):
    head = np.array([inputs, len(layer.bias), layer.shift], "<i4").tobytes()
    return head + layer.bias.astype("<i4").tobytes() + layer.weights.astype("<i2").tobytes()


def write_network(path, table):
    check_bounds(table)
    data = _numbers(KIND_NETWORK, table.pattern, table.sigma) + np.array([len(table.hidden)], "<i4").tobytes()
    for layer in [*table.hidden, table.last]:
        data += _layer_bytes(layer, layer.weights.shape[3])
    path.write_bytes(data + table.skip.astype("<i2").tobytes())


class Reader:
    """Takes typed arrays off the front of a table file."""

    def __init__(self, path, kind):
        self.data, self.at = path.read_bytes(), 8
        if self.data[:8] != MAGIC:
            raise ValueError(f"{path}: no table file")
        found, self.pattern, hundredths = self.take("<i4", 3)
        if found != kind:
            raise ValueError(f"{path}: kind {found}, wanted {kind}")
        self.sigma = hundredths / 100

    def take(self, form, *shape):
        count = int(np.prod(shape))
        array = np.frombuffer(self.data, form, count, self.at).reshape(shape)
        self.at += array.nbytes
        return array


def read_network(path):
    reader = Reader(path, KIND_NETWORK)
    table, count = NetworkTable(int(reader.pattern), reader.sigma), int(reader.take("<i4", 1)[0])
    for index in range(count + 1):
        inputs, outputs, shift = (int(v) for v in reader.take("<i4", 3))
        bias = reader.take("<i4", outputs)
        layer = Layer(reader.take("<i2", outputs, 3, 3, inputs), bias, shift)
        if index < count:
            table.hidden.append(layer)
        else:
            table.last = layer
    table.skip = reader.take("<i2", len(table.last.bias), 3, 3, PLANES)
    if reader.at != len(reader.data):
        raise ValueError(f"{path}: {len(reader.data) - reader.at} bytes left over")
    check_bounds(table)
    return table


@dataclass
class ClassTable:
    """Weights (tables, classes, outputs, taps) of the class-switched stage and their right shift."""

    pattern: int
    sigma: float
    weights: np.ndarray
    shift: int


def write_classes(path, table):
    """Header: kind, pattern, sigma * 100, tables, classes, outputs, taps, shift; then Int16 weights."""
    sums = np.abs(table.weights).sum(-1, dtype=np.int64).max() * INPUT_LIMIT + (1 << table.shift)
    if sums >= ACCUMULATOR_LIMIT or np.abs(table.weights).max() > INPUT_LIMIT:
        raise ValueError("class weights too large")
    shape = np.array([*table.weights.shape, table.shift], "<i4").tobytes()
    data = _numbers(KIND_CLASS, table.pattern, table.sigma) + shape + table.weights.astype("<i2").tobytes()
    path.write_bytes(data)


def read_classes(path):
    reader = Reader(path, KIND_CLASS)
    *shape, shift = (int(v) for v in reader.take("<i4", 5))
    return ClassTable(int(reader.pattern), reader.sigma, reader.take("<i2", *shape), shift)


@dataclass
class PhaseTable:
    """Weights (period * period, 3, side * side) of the phase filters, each filter's sum 2^shift."""

    pattern: int
    sigma: float
    weights: np.ndarray
    shift: int


def write_phases(path, table):
    """Header: kind, pattern, sigma * 100, period, side, shift; then Int16 weights."""
    side = round(table.weights.shape[2] ** 0.5)
    if np.any(table.weights.sum(-1) != 1 << table.shift) or np.abs(table.weights).max() > INPUT_LIMIT:
        raise ValueError("phase weights do not add up or are too large")
    head = np.array([table.pattern, side, table.shift], "<i4").tobytes()
    data = _numbers(KIND_PHASE, table.pattern, table.sigma) + head + table.weights.astype("<i2").tobytes()
    path.write_bytes(data)


def read_phases(path):
    reader = Reader(path, KIND_PHASE)
    period, side, shift = (int(v) for v in reader.take("<i4", 3))
    weights = reader.take("<i2", period * period, 3, side * side)
    return PhaseTable(int(reader.pattern), reader.sigma, weights, shift)
