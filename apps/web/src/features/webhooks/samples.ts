export type VerificationSample = { id: 'node' | 'python' | 'php'; label: string; language: string; code: string }

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

// Le secret (whsec_…), les en-têtes en minuscules, et le corps tel que reçu, avant toute lecture du JSON.
export function verify(secret, headers, body, now = Date.now() / 1000) {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  if (!(Math.abs(now - Number(time)) < 300)) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(id + '.' + time + '.' + body).digest()
  return String(headers['webhook-signature']).split(' ').some((one) => {
    const [version, signature] = one.split(',')
    const given = Buffer.from(signature ?? '', 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`

const PYTHON = `import base64, hashlib, hmac, time

# Le secret (whsec_…), les en-têtes en minuscules, et le corps tel que reçu, avant toute lecture du JSON.
def verify(secret, headers, body, now=None):
    sent = headers['webhook-timestamp']
    if abs((now or time.time()) - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix('whsec_'))
    signed = f"{headers['webhook-id']}.{sent}.{body}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers['webhook-signature'].split(' ')
    return any(hmac.compare_digest(one, 'v1,' + expected) for one in given)
`

const PHP = `<?php
// Le secret (whsec_…), les en-têtes en minuscules, et le corps lu par file_get_contents('php://input').
function verify(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $time = $headers['webhook-timestamp'];
    if (abs(($now ?? time()) - (int) $time) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = $headers['webhook-id'] . '.' . $time . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}
`

/** How a message is checked, as a program would; each of them is run in a test. */
export const VERIFICATION_SAMPLES: VerificationSample[] = [
  { id: 'node', label: 'Node.js', language: 'javascript', code: NODE },
  { id: 'python', label: 'Python', language: 'python', code: PYTHON },
  { id: 'php', label: 'PHP', language: 'php', code: PHP },
]
