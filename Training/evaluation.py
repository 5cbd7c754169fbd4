"""Protocol P2 of a demosaicer given as a function."""

import numpy as np

import encoding
import pictures


def decibels(table, run, files):
    """Mean P2 over pictures cut to whole periods."""
    pattern, result = encoding.pattern_of(table.pattern), []
    for k, file in enumerate(files):
        codes = pictures.whole_periods(pictures.read_codes(file), pattern.period)
        mosaic = encoding.noisy_mosaic(encoding.linear_of_srgb(codes), pattern, table.sigma, seed=7 + k)
        result.append(encoding.cpsnr(codes, encoding.decode(run(mosaic) / encoding.UNIT)))
    return float(np.mean(result))
