from variant import StreamComesOne

print(StreamComesOne)
