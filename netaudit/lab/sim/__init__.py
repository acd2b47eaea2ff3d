"""Simulated SONiC switches: one process, real gRPC and real SSH on the loopback. It boots from files only."""
