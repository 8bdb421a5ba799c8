from variant.streams import ResumesStream

print(ResumesStream().resume())
