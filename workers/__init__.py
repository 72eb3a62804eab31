"""RQ workers: they make overdue deadlines happen; the deadlines themselves are in the store.

RQ reads its key prefix when it is imported: the hash tag keeps its keys together on a cluster.
"""

import os

os.environ.setdefault("RQ_KEY_PREFIX", "{rq}")
