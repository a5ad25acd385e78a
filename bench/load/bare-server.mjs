// The peer of the HTTP door: the same framework, answering a constant to whatever was sent.
import { createServer } from 'node:http';

const answer = Buffer.from(process.argv[2] ?? '{}');
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
