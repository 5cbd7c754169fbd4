// TIFFTags
