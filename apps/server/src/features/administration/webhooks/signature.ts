import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Standard Webhooks: a prefix that scanners know, and random bytes in base64. */
export const generateWebhookSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The bytes that sign; a secret from before the standard signs as it is written. */
const toSigningKey = (secret: string) =>
  secret.startsWith(SECRET_PREFIX) ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64') : Buffer.from(secret)

/** `v1,<base64>` over id, time and body, for each secret that still holds: an old message sent again is told from a new one. */
export const signWebhookMessage = (secrets: string[], id: string, seconds: number, body: string) =>
  secrets
    .map(
      (secret) =>
        `v1,${createHmac('sha256', toSigningKey(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`,
    )
    .join(' ')
