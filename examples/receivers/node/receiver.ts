import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { SignatureError, verify } from '@turnout/sdk';

const secret = process.env.WEBHOOK_SECRET ?? ''; // the whole secret, including whsec_

const server = createServer(async (request, response) => {
  try {
    const envelope = await verify(await buffer(request), request.headers['service-signature'], secret);
    console.log(envelope.type, envelope.id);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof SignatureError)) console.error(error);
    response.writeHead(error instanceof SignatureError ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
