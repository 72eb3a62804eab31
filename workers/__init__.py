"""RQ workers: they make overdue deadlines happen; the deadlines themselves are in the store.

RQ reads its key prefix when it is imported: the hash tag keeps its keys together on a cluster.
"""

from app.adapters.queue_length import QUEUE_TAG

__all__ = ["QUEUE_TAG"]
