from variant.streams import EventComesStream

print(EventComesStream())
