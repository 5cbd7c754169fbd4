"""Turns trained weights into an integer table: python quantise.py --weights quad-00.pt --pattern quad --sigma 0

Scales are powers of two. Activation scales come from the largest values seen on the training and procedural
pictures; weight scales are as large as Int16 and the Int32 bound of every output allow.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

import encoding
import pictures
import procedural
import tables
from encoding import BLOCK, UNIT
from network import DEVIATION_GAIN, PLANES, Network
from tables import ACCUMULATOR_LIMIT, INPUT_LIMIT, Layer, NetworkTable

HEADROOM = 2  # activations may exceed the largest one seen by this factor
ROUNDING = 2.0**24  # room for the rounding halves in the accumulators
FOLDER = Path(__file__).parent.parent / "Sources" / "CDemosaicTables" / "tables"


def weight_shift(weights, biases):
    """Largest k so that weights * 2^k (and the biases) keep within Int16 and the accumulator bound.

    `weights` are all arrays (outputs, ...) that one accumulator sums; `biases` in units of weight * input.
    """
    largest = max(np.abs(w).max(initial=0) for w in weights)
    sums = sum(np.abs(w).reshape(len(w), -1).sum(1) for w in weights)
    taps = sum(w[0].size for w in weights)
    for k in range(30, -30, -1):
        bound = (sums * 2.0**k + taps / 2) * INPUT_LIMIT + np.abs(biases) * 2.0**k + ROUNDING
        if largest * 2.0**k + 0.5 <= INPUT_LIMIT and bound.max() < ACCUMULATOR_LIMIT:
            return k
    raise ValueError("weights too large")


def integer_layer(weights, bias, input_scale, output_scale):
    """Layer of real weights (outputs, inputs, 3, 3) between integer inputs and outputs of given units per 1."""
    k = weight_shift([weights], bias * input_scale)
    shift = int(k + np.log2(input_scale) - np.log2(output_scale))
    if shift < 1:
        k, shift = k - (1 - shift), 1
    while shift > 30:
        k, shift = k - 1, shift - 1
    bias = np.round(bias * input_scale * 2.0**k).astype(np.int64) + (1 << (shift - 1))
    return Layer(_integers(weights, k), bias.astype(np.int32), shift)


def _integers(weights, k):
    return np.round(weights.transpose(0, 2, 3, 1) * 2.0**k).astype(np.int32)


def integer_output(weights, bias, skip, scale):
    """Last layer and skip with one accumulator scale; results in units of U."""
    to_u = UNIT / DEVIATION_GAIN  # U per 1 of the network's output
    z_scale = UNIT / DEVIATION_GAIN
    equal = weights * (to_u / scale)  # what a weight is worth on the scale of the skip
    k = min(weight_shift([equal, skip * (to_u / z_scale)], bias * to_u), 15)
    bias = np.round(bias * to_u * 2.0**k).astype(np.int64) + (1 << (k - 1))
    return Layer(_integers(equal, k), bias.astype(np.int32), k), _integers(skip, k)


def integer_network(parameters, maxima, pattern, sigma):
    """Table of parameters {name: array}; `maxima` are the largest hidden activations seen, in the network's units."""
    table, scale = NetworkTable(pattern.period, sigma), UNIT / DEVIATION_GAIN
    for index, maximum in enumerate(maxima):
        weights, bias = parameters[f"hidden.{index}.weight"], parameters[f"hidden.{index}.bias"]
        output = 2.0 ** np.floor(np.log2(INPUT_LIMIT / (HEADROOM * maximum)))
        table.hidden.append(integer_layer(weights, bias, scale, output))
        scale = output
    table.last, table.skip = integer_output(
        parameters["last.weight"], parameters["last.bias"], parameters["skip"], scale
    )
    if sigma == 0:
        keep_flat(table)
    level_flat_fields(table)
    tables.check_bounds(table)
    return table


def level_flat_fields(table):
    """Sets the last biases so that a flat field (z = 0 everywhere) comes out exactly flat, without a faint maze."""
    activations = np.zeros(table.skip.shape[3], np.int64)
    for layer in table.hidden:
        total = layer.weights.astype(np.int64).sum((1, 2)) @ activations + layer.bias
        activations = np.clip(total >> layer.shift, 0, INPUT_LIMIT)
    constant = table.last.weights.astype(np.int64).sum((1, 2)) @ activations
    table.last.bias = ((1 << (table.last.shift - 1)) - constant).astype(np.int32)


def keep_flat(table):
    """Takes the response to a flat mosaic (all z 0), a code or two, out of the last biases: flat colours are exact."""
    activations = np.zeros(PLANES, np.int64)
    for layer in table.hidden:
        total = layer.weights.sum((1, 2), dtype=np.int64) @ activations + layer.bias
        activations = np.clip(total >> layer.shift, 0, INPUT_LIMIT)
    response = table.last.weights.sum((1, 2), dtype=np.int64) @ activations
    table.last.bias = ((1 << (table.last.shift - 1)) - response).astype(np.int32)


@torch.no_grad()
def activation_maxima(network, sigma):
    """Largest activation of every hidden layer on the training and procedural pictures."""
    largest = np.zeros(len(network.hidden))
    hooks = [
        layer.register_forward_hook(
            lambda _, __, result, i=i: largest.__setitem__(i, max(largest[i], float(result.max())))
        )
        for i, layer in enumerate(network.hidden)
    ]
    for k, light in enumerate(pictures.training_light(with_halves=False) + procedural.pictures()):
        u = encoding.noisy_mosaic(light, network.pattern, sigma, seed=k) / UNIT
        network(torch.from_numpy(u.astype(np.float32))[None, None])
    for hook in hooks:
        hook.remove()
    return largest


def load(path, pattern, sigma):
    """Network of a checkpoint."""
    state = torch.load(path, weights_only=False)["model"]
    network = Network(pattern, sigma > 0, state["last.weight"].shape[1])
    network.load_state_dict(state)
    return network.eval()


def parameters(network):
    """{name: Float64 array}, the skip already masked."""
    result = {name: value.double().numpy() for name, value in network.state_dict().items()}
    result["skip"] = result["skip"] * network.mask.double().numpy()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--pattern", choices=("quad", "bayer"), required=True)
    parser.add_argument("--sigma", type=float, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    pattern = encoding.PATTERNS[options.pattern]
    network = load(options.weights, pattern, options.sigma)
    table = integer_network(parameters(network), activation_maxima(network, options.sigma), pattern, options.sigma)
    tables.write_network(FOLDER / f"{pattern.name}-{options.sigma:02.0f}.net", table)


if __name__ == "__main__":
    main()
