#!/usr/bin/env bash
# Tries the job array against a real Slurm on this machine: munged, slurmctld and slurmd in a folder of their own, as root, two
# processors; Debian: apt-get install --no-install-recommends slurm-wlm munge. A run of `cargo xtask long`.
#
# 1. Eight parts of a campaign; the program of one is killed, and the task of another is requeued while it runs.
# 2. All parts end, each has one report, and together they are what one process comes to that runs the whole campaign.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/weft.sh"
export WEFT=$weft
cd "$root"
options=(--unit tasks --seed 2026 --programs "${1:-240}")
for tool in munged slurmctld slurmd sbatch; do
    command -v "$tool" > /dev/null || { echo "trial.sh: no $tool: apt-get install --no-install-recommends slurm-wlm munge" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "trial.sh: needs root" >&2; exit 2; }
dir=$(mktemp -d)
stop() {
    [ -s "$dir/pids" ] && kill $(cat "$dir/pids") 2> /dev/null
    sleep 1
    rm -rf "$dir"
}
trap stop EXIT
mkdir -p "$dir"/{munge,state,spool,log}
chmod 755 "$dir"
chmod 700 "$dir/munge"
head -c 128 /dev/urandom > "$dir/munge/key"
chmod 400 "$dir/munge/key"
read -r port1 port2 < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))')
host=$(hostname -s)
# cred_expire: else a task that is requeued waits for two minutes.
cat > "$dir/slurm.conf" << CONF
ClusterName=weft
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/sock,cred_expire=5
CredType=cred/munge
SlurmctldPort=$port1
SlurmdPort=$port2
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
JobRequeue=1
RequeueExit=75
ReturnToService=2
SchedulerParameters=requeue_delay=0,batch_sched_delay=0,sched_min_interval=0
InactiveLimit=0
KillWait=2
MinJobAge=3600
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$dir/slurm.conf
begin() {
    setsid "$@" > /dev/null 2>> "$dir/log/started" < /dev/null &
    echo $! >> "$dir/pids"
}
begin munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/sock" --pid-file="$dir/munge/pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
sleep 1
begin slurmctld -D
begin slurmd -D -N n1
waited=0
until [ "$(sinfo -h -o %T 2> /dev/null)" = idle ]; do
    sleep 0.5
    [ $((++waited)) -lt 60 ] || { echo "trial.sh: no node after 30 s"; cat "$dir"/log/*; exit 1; }
done
echo "Slurm $(sinfo --version | cut -d' ' -f2) is up"

# The model is made once, and by nobody who is to be killed.
"$weft" cosim "${options[@]}" --json "$dir/whole.json" | tail -n 1
parts=$dir/parts
job=$(sbatch --parsable --array=1-8 --output="$dir/log/%a.out" tools/campaign/campaign.sbatch "$parts" "${options[@]}")
killed= requeued=
for _ in $(seq 1200); do
    sleep 0.3
    if [ -z "$killed" ]; then
        pid=$(pgrep -f "cosim .*--shard 1/8" | head -n 1 || true)
        [ -n "$pid" ] && kill -9 "$pid" && killed=$pid && echo "killed part 1, process $pid"
    elif [ -z "$requeued" ] && pgrep -f "cosim .*--shard 3/8" > /dev/null; then
        scontrol requeue "${job}_3" && requeued=3 && echo "requeued part 3 while it ran"
    fi
    [ -n "$(squeue -h -j "$job" -t PENDING,RUNNING,COMPLETING,CONFIGURING 2> /dev/null)" ] || break
done
[ -n "$killed" ] && [ -n "$requeued" ] || { echo "trial.sh: nothing was killed, or nothing requeued: the parts were too short"; exit 1; }
squeue -h -t all -o '%K %T' -j "$job" | sort -n | uniq | tr '\n' ';'
echo
ls "$parts" | grep -c '^[0-9]*\.json$' | sed 's/$/ reports/'
tools/campaign/merge.sh "$parts"
python3 - "$dir/whole.json" "$parts/campaign.json" << 'COMPARE'
import json, sys
runs = []
for name in sys.argv[1:]:
    run, = json.load(open(name))["runs"]
    del run["seconds"]
    runs.append(run)
assert runs[0] == runs[1], "the parts together are not the whole"
print("slurm: the parts together are the whole, one killed and one requeued")
COMPARE
