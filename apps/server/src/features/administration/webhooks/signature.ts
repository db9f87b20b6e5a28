import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Standard Webhooks: a prefix that secret scanners recognise, and random bytes in base64. */
export const generateWebhookSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The HMAC key; a secret older than the standard is used as its text. */
const toSigningKey = (secret: string) =>
  secret.startsWith(SECRET_PREFIX) ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64') : Buffer.from(secret)

/**
 * `v1,<base64>` over id, time and body, for each valid secret. The signed time lets a receiver detect replayed
 * messages.
 */
export const signWebhookMessage = (secrets: string[], id: string, seconds: number, body: string) =>
  secrets
    .map(
      (secret) =>
        `v1,${createHmac('sha256', toSigningKey(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`,
    )
    .join(' ')
