#!/bin/sh
# Spreads a study over the tasks of a Slurm array job; every task takes its part of the seeds.
#
#   sbatch --array=1-8 experiments/jobs/slurm.sh experiments/studies/demo-search/study.toml out/demo-search
#
# From the folder of the repository, after `cargo build --release --workspace`. The folder for results lies on a file
# system that all nodes share, or the folders of the nodes are given to `study report` together. A task that is ended
# too early goes on where it was when the same job is submitted again, with the same number of tasks or another.
#SBATCH --job-name=restive-study
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=24:00:00
# Other work on the same node would change calls a second.
#SBATCH --exclusive
# Asked to end two minutes before the limit, so that services are stopped too.
#SBATCH --signal=TERM@120
#SBATCH --output=study-%A-%a.log
set -eu

study=${1:?"usage: sbatch --array=1-N slurm.sh STUDY.toml FOLDER [ARGUMENT…]"}
out=${2:?"usage: sbatch --array=1-N slurm.sh STUDY.toml FOLDER [ARGUMENT…]"}
shift 2

# An array that does not start at 1 or leaves numbers out would leave out runs as well.
if [ "${SLURM_ARRAY_TASK_MIN:?"start it with --array=1-N"}" -ne 1 ] || [ "$SLURM_ARRAY_TASK_MAX" -ne "$SLURM_ARRAY_TASK_COUNT" ]; then
    echo "error: wanted --array=1-N without gaps" >&2
    exit 2
fi

# srun passes signals on to the program itself.
exec srun "${RESTIVE_EXPERIMENTS:-target/release/restive-experiments}" study run "$study" --out "$out" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" "$@"
