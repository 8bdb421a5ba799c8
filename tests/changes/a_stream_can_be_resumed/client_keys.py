from variant.streams import ResumesNowStream

print(ResumesNowStream())
