"""Version 1 of the wire contract: ``play_pb2``, ``actions_pb2``, ``cards_pb2``, ``variants_pb2``, ``referee_pb2``."""
