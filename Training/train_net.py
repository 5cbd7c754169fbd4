"""Trains one network: python train_net.py --pattern quad --sigma 0 --steps 80000 --out quad-00.pt [--init other.pt]

Writes a checkpoint every few hundred steps and goes on from it when started again.
"""

import argparse
import math
import os
import time

import numpy as np
import torch

import encoding
import pictures
import procedural
from crops import CropSource
from network import HALO, Network, sample

CROP = 128  # pixels
BATCH = 16
CLEAN_GAIN_JITTER = 0.2  # standard deviation of ln(channel gain)
SENSOR_GAIN_JITTER = 0.25  # of the red and blue white-balance gains that scale the noise
SIGMA_JITTER = 0.15  # the noise of a crop is the level times 1 +- this
TRACE = 0.7  # codes: "clean" tables see noise of 0...TRACE in half of the crops
CHECKPOINT_EVERY, VALIDATE_EVERY, LOG_EVERY, WARM_UP = 500, 2500, 500, 100


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pattern", choices=("quad", "bayer"), default="quad")
    parser.add_argument("--sigma", type=float, default=0)
    parser.add_argument("--width", type=int, default=40)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--half-until", type=float, default=0.8, help="part of the steps computed in bfloat16")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", help="weights to start from; outputs they lack start as copies of the mosaic")
    parser.add_argument("--out", required=True)
    return parser.parse_args()


def add_noise(mosaic, pattern, sigma, generator):
    """Noise of a random sensor and strength on mosaics (N, 1, H, W) of u, clamped at 0."""
    count = len(mosaic)
    normal = lambda *shape: torch.randn(shape, generator=generator)
    uniform = torch.rand((count, 1), generator=generator)
    if sigma == 0:
        strength = TRACE * (2 * uniform - 1).clamp(min=0)
    else:
        strength = sigma * (1 + SIGMA_JITTER * (2 * uniform - 1))
    jitter = torch.exp(SENSOR_GAIN_JITTER * normal(count, 3) * torch.tensor([1.0, 0.0, 1.0]))
    scale = strength / encoding.CODE * torch.sqrt(jitter / torch.from_numpy(encoding.SENSOR_GAINS).float())
    colours = torch.from_numpy(pattern.colours(*mosaic.shape[2:]))
    return (mosaic + normal(*mosaic.shape) * scale[:, colours][:, None]).clamp_(min=0)


def initialise(network, path):
    """Copies weights; a re-estimated measured colour starts as the measured value itself."""
    saved = torch.load(path, weights_only=True)["model"]
    old = Network(network.pattern, saved["last.bias"].shape[0] == 48, network.width)
    old.load_state_dict(saved)
    network.hidden.load_state_dict(old.hidden.state_dict())
    with torch.no_grad():
        for i, output in enumerate(network.outputs):
            network.last.weight[i], network.last.bias[i], network.skip[i] = 0, 0, 0
            if output in old.outputs:
                j = old.outputs.index(output)
                network.last.weight[i], network.last.bias[i] = old.last.weight[j], old.last.bias[j]
                network.skip[i] = old.skip[j]
            else:
                network.skip[i, output % 16, 1, 1] = 1


@torch.no_grad()
def validate(network, sigma):
    """Mean dB on 255 * u over the values of the validation pictures that the mosaic lacks (all, when noisy)."""
    result = []
    for k, path in enumerate(pictures.paths(validation=True)):
        light = encoding.linear_of_srgb(pictures.read_codes(path))
        u = encoding.noisy_mosaic(light, network.pattern, sigma, seed=7 + k) / encoding.UNIT
        truth = torch.from_numpy(encoding.encode(light).astype(np.float32)).permute(2, 0, 1)[None]
        predicted = network(torch.from_numpy(u.astype(np.float32))[None, None])
        squares = (predicted - network.truth(truth)).square().sum().item()
        values = predicted.shape[2] * predicted.shape[3] * 48
        result.append(-10 * math.log10(squares / values))
    return float(np.mean(result))


def learning_rate(step, steps, peak):
    return peak * min(1, (step + 1) / WARM_UP) * (0.5 * (1 + math.cos(math.pi * step / steps)) * 0.99 + 0.01)


def main():
    options = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    pattern = encoding.PATTERNS[options.pattern]
    network = Network(pattern, options.sigma > 0, options.width)
    if options.init:
        initialise(network, options.init)
    optimiser = torch.optim.Adam(network.parameters(), lr=options.rate)
    source = CropSource(pictures.training_light(), procedural.pictures(), CROP, options.seed, CLEAN_GAIN_JITTER)
    noise, step = torch.Generator().manual_seed(options.seed), 0
    if os.path.exists(options.out):
        saved = torch.load(options.out, weights_only=False)
        network.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        noise.set_state(saved["noise"])
        source.rng.bit_generator.state = saved["crops"]
        step = saved["step"]
    began, first, total = time.time(), step, 0.0
    while step < options.steps:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, options.steps, options.rate)
        root = source.batch(BATCH)
        truth = torch.sqrt(root.square() + encoding.OFFSET)
        mosaic = add_noise(sample(truth, pattern), pattern, options.sigma, noise)
        predicted = network(mosaic, step < options.half_until * options.steps)
        error = (predicted - network.truth(truth)).square().mean((1, 2, 3))
        loss = torch.log(error * encoding.CODE**2 + 1).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        step, total = step + 1, total + loss.item()
        if step % LOG_EVERY == 0:
            pace = (time.time() - began) / (step - first)
            print(f"step {step} loss {total / LOG_EVERY:.4f} {pace * 1e3:.1f} ms/step", flush=True)
            total = 0.0
        if step % VALIDATE_EVERY == 0 or step == options.steps:
            print(f"step {step} validation {validate(network, options.sigma):.3f} dB", flush=True)
        if step % CHECKPOINT_EVERY == 0 or step == options.steps:
            state = {"model": network.state_dict(), "optimiser": optimiser.state_dict(), "step": step,
                     "noise": noise.get_state(), "crops": source.rng.bit_generator.state}  # fmt: skip
            torch.save(state, options.out + ".new")
            os.replace(options.out + ".new", options.out)


if __name__ == "__main__":
    main()
