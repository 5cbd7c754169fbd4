"""Random augmented crops of the training pictures, in u0 = sqrt(linear light)."""

import numpy as np
import torch
import torch.nn.functional as F

PROCEDURAL_SHARE = 0.06  # of all crops
TEXTURED_PREFERENCE = 0.8  # of two candidates the more textured one is kept this often


class CropSource:
    """Endless batches of square crops; everything random comes from one seeded generator.

    `gain_jitter` is the standard deviation of the logarithm of the random channel gains (on linear light).
    """

    def __init__(self, light, procedural, size, seed, gain_jitter):
        self.size, self.gain_jitter = size, gain_jitter
        self.rng = np.random.default_rng(seed)
        self.roots = [np.sqrt(np.clip(p, 0, 1)).astype(np.float32) for p in light + procedural]
        area = np.array([np.prod(p.shape[:2]) ** 0.75 for p in self.roots])
        natural = np.arange(len(area)) < len(light)
        share = np.where(natural, 1 - PROCEDURAL_SHARE, PROCEDURAL_SHARE)
        self.probability = share * area / np.where(natural, area[natural].sum(), max(area[~natural].sum(), 1))
        self.probability /= self.probability.sum()
        self.texture = [self._texture_integral(p[..., 1]) for p in self.roots]

    @staticmethod
    def _texture_integral(green):
        detail = np.zeros(green.shape)
        detail[1:] += np.abs(np.diff(green, axis=0))
        detail[:, 1:] += np.abs(np.diff(green, axis=1))
        return np.pad(detail.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def _candidate(self):
        n, rng = self.size, self.rng
        k = rng.choice(len(self.roots), p=self.probability)
        h, w = self.roots[k].shape[:2]
        y, x = rng.integers(0, h - n + 1), rng.integers(0, w - n + 1)
        t = self.texture[k]
        return t[y + n, x + n] - t[y, x + n] - t[y + n, x] + t[y, x], k, y, x

    def _crop(self):
        first, second = self._candidate(), self._candidate()
        better, worse = (first, second) if first[0] >= second[0] else (second, first)
        _, k, y, x = better if self.rng.random() < TEXTURED_PREFERENCE else worse
        crop = self.roots[k][y : y + self.size, x : x + self.size]
        flips = self.rng.random(3) < 0.5
        crop = crop[::-1] if flips[0] else crop
        crop = crop[:, ::-1] if flips[1] else crop
        return crop.transpose(2, 1, 0) if flips[2] else crop.transpose(2, 0, 1)

    def batch(self, count):
        """Tensor (count, 3, size, size) of u0 in 0...1."""
        c = torch.from_numpy(np.stack([self._crop() for _ in range(count)]))
        draw = lambda *shape: torch.from_numpy(self.rng.random((count,) + shape).astype(np.float32))
        normal = torch.from_numpy(self.rng.normal(size=(count, 3, 1, 1)).astype(np.float32))
        kind, amount = draw(), draw()
        alpha = torch.where(kind < 0.25, 0.2 + 0.6 * amount, torch.where(kind < 0.32, -1.0, 0.0))
        filtered = torch.nonzero(alpha).ravel()
        if len(filtered):
            picked = c[filtered]
            c[filtered] = picked + alpha[filtered, None, None, None] * (picked - _binomial(picked))
        chroma = torch.where(draw(1, 1, 1) < 0.5, 0.8 + 0.8 * draw(1, 1, 1), 1.0)
        luma = (c[:, :1] + 2 * c[:, 1:2] + c[:, 2:]) / 4
        c = luma + chroma * (c - luma)
        gains = torch.where(draw(1, 1, 1) < 0.6, torch.exp(0.5 * self.gain_jitter * normal), 1.0)
        bright = torch.where(draw(1, 1, 1) < 0.3, 0.5 + 0.7 * draw(1, 1, 1), 1.0)
        return (c * (gains * bright)).clamp_(0, 1)


def _binomial(c):
    """3x3 binomial blur with repeated edges."""
    p = F.pad(c, (1, 1, 1, 1), mode="replicate")
    p = (p[:, :, :-2] + 2 * p[:, :, 1:-1] + p[:, :, 2:]) / 4
    return (p[..., :-2] + 2 * p[..., 1:-1] + p[..., 2:]) / 4
