#!/bin/sh
# Makes every table anew: DUO_TRAINING_PICTURES=FOLDER ./recipe.sh WEIGHTS-FOLDER
# About two hours on one core; an interrupted training goes on from its checkpoint.
set -e
cd "$(dirname "$0")"
weights=$1
mkdir -p "$weights" ../Sources/CDemosaicTables/tables

# net PATTERN SIGMA STEPS PEAK-RATE [START]
net() {
  name=$1-$(printf %02d "$2")
  python3 train_net.py --pattern "$1" --sigma "$2" --steps "$3" --rate "$4" ${5:+--init "$weights/$5.pt"} \
    --out "$weights/$name.pt"
  python3 quantise.py --weights "$weights/$name.pt" --pattern "$1" --sigma "$2"
  python3 train_classes.py --pattern "$1" --sigma "$2"
}

net quad 0 50000 2e-3
net bayer 0 22000 2e-3
net quad 15 10000 1e-3 quad-00
net quad 8 6000 8e-4 quad-15
net quad 4 5000 8e-4 quad-08
net quad 26 4000 8e-4 quad-15
net bayer 15 3500 1e-3 bayer-00
net bayer 8 2000 8e-4 bayer-15
net bayer 4 2000 8e-4 bayer-08
net bayer 26 2000 8e-4 bayer-15

for sigma in 0 4 8 15 26; do
  python3 least_squares.py --pattern quad --sigma $sigma
  python3 least_squares.py --pattern bayer --sigma $sigma
done
for sigma in 0 8 20; do
  python3 phase_filters.py --pattern nona --sigma $sigma --sides 11 13
  python3 phase_filters.py --pattern hexadeca --sigma $sigma --sides 15
done
python3 embed.py
python3 vectors.py
python3 -m unittest test_tables
