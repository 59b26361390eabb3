// Makes the bucket that FILES_URL names, unless it is there. Runs in the image of Turnout.
import { createRequire } from 'node:module';

const { CreateBucketCommand, S3Client } = createRequire(import.meta.url)('@aws-sdk/client-s3');
const { FILES_URL, AWS_REGION = 'us-east-1' } = process.env;
const { hostname, searchParams } = new URL(FILES_URL);
const endpoint = searchParams.get('endpoint');
const client = new S3Client({
  region: searchParams.get('region') ?? AWS_REGION,
  ...(endpoint !== null && { endpoint, forcePathStyle: true }),
});
try {
  await client.send(new CreateBucketCommand({ Bucket: hostname }));
  console.error(`made the bucket ${hostname}`);
} catch (error) {
  if (!/^BucketAlready/.test(error.name)) throw error;
}
