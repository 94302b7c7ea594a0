# A Slurm of one node on the loopback interface, in the test's folder: start_slurm, stop_slurm. Its daemons run as
# root, which Slurm needs to start steps. Nothing of a Slurm that the machine has is read or changed.
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start_munge() {
	mkdir -p munge && chmod 700 munge
	head -c 1024 /dev/urandom >munge/key && chmod 600 munge/key
	munged --force --foreground --socket "$PWD/munge/socket" --key-file "$PWD/munge/key" \
		--pid-file "$PWD/munge/pid" --seed-file "$PWD/munge/seed" --log-file "$PWD/munge/log" >munge/out 2>&1 &
	daemons=$!
	chmod 711 munge
}

write_configuration() {
	local host
	host=$(hostname -s)
	mkdir -p slurm/state slurm/spool
	cat >slurm/slurm.conf <<-END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$(port)
		SlurmdPort=$(port)
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$PWD/munge/socket
		CryptoType=crypto/munge
		StateSaveLocation=$PWD/slurm/state
		SlurmdSpoolDir=$PWD/slurm/spool
		SlurmctldPidFile=$PWD/slurm/slurmctld.pid
		SlurmdPidFile=$PWD/slurm/slurmd.pid
		SlurmctldLogFile=$PWD/slurm/slurmctld.log
		SlurmdLogFile=$PWD/slurm/slurmd.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SchedulerType=sched/builtin
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		MpiDefault=none
		ReturnToService=2
		CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
		SlurmdTimeout=300
		NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
		PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:64
	END
	export SLURM_CONF=$PWD/slurm/slurm.conf
}

# Status 1: it does not start; the reason is printed.
start_slurm() {
	start_munge
	write_configuration
	for _ in $(seq 100); do
		[ -S munge/socket ] && break
		sleep 0.1
	done
	slurmctld -D >slurm/ctld.out 2>&1 &
	daemons="$daemons $!"
	slurmd -D -N "$(hostname -s)" >slurm/slurmd.out 2>&1 &
	daemons="$daemons $!"
	trap stop_slurm EXIT
	for _ in $(seq 300); do
		sinfo -h -o %T 2>/dev/null | grep -qE '^(idle|mixed|allocated)' && return 0
		sleep 0.1
	done
	tail -n 3 munge/out slurm/*.out slurm/*.log
	return 1
}

any_lives() {
	for daemon in $daemons; do
		kill -0 "$daemon" 2>/dev/null && return 0
	done
	return 1
}

# A step that ends while its controller is gone would wait for it.
stop_slurm() {
	for _ in $(seq 100); do
		[ -z "$(squeue -h 2>/dev/null)" ] && break
		sleep 0.1
	done
	# shellcheck disable=SC2086 # several processes
	kill $daemons 2>/dev/null
	for _ in $(seq 50); do
		any_lives || return 0
		sleep 0.1
	done
	# shellcheck disable=SC2086
	kill -KILL $daemons 2>/dev/null
}
