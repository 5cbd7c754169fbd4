// HDRMerge
