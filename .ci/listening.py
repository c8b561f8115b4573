"""Prints where a process and its children listen, one address:port a line."""

import sys

import psutil

process = psutil.Process(int(sys.argv[1]))
for each in [process, *process.children(recursive=True)]:
    for connection in each.net_connections(kind="inet"):
        if connection.status == psutil.CONN_LISTEN:
            print(f"{connection.laddr.ip}:{connection.laddr.port}")
