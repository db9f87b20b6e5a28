import { useQuery } from '@tanstack/react-query'
import { webhooks } from '@voisol/contract/webhooks'
import { Card } from '../../../components/card.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { query } from '../../../lib/queries.ts'

/** How a receiver knows a message for ours. */
export function SignatureVerification() {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Card title="Ce que porte chaque envoi">
        <ul className="prose-width grid list-disc gap-2 pl-5 text-body">
          <li>
            <code>webhook-id</code>&nbsp;: l’identifiant de l’envoi, le même à chaque répétition. Gardez-le pour ne rien
            traiter deux fois.
          </li>
          <li>
            <code>webhook-timestamp</code>&nbsp;: l’instant de l’envoi, en secondes. Refusez ce qui a plus de cinq
            minutes.
          </li>
          <li>
            <code>webhook-signature</code>&nbsp;: <code>v1,</code> puis la signature HMAC-SHA256 de
            «&nbsp;id.instant.corps&nbsp;» en base64&nbsp;; deux, séparées par une espace, pendant un renouvellement du
            secret.
          </li>
          <li>
            Répondez 2xx en moins de quinze secondes. Sinon l’envoi est répété après 5&nbsp;s, 5&nbsp;min, 30&nbsp;min,
            2&nbsp;h, 5&nbsp;h, 10&nbsp;h et 10&nbsp;h&nbsp;; 410 arrête le webhook.
          </li>
        </ul>
      </Card>
      {VERIFICATION_SAMPLES.map(({ id, label, language, code }) => (
        <CodePanel key={id} label={label} language={language} code={code} />
      ))}
    </div>
  )
}

type EventRow = { id: string; label: string; schema: Record<string, unknown>; sample: unknown }
const columns: Column<EventRow>[] = [
  { header: 'Événement', card: 'title', cell: ({ label }) => <span className="font-medium">{label}</span> },
  { header: 'Nom', card: 'secondary', cell: ({ id }) => <code className="text-[0.8125rem]">{id}</code> },
]
const formatJson = (value: unknown) => JSON.stringify(value, null, 2)

/** What can be asked for, with a sample and the schema of each. */
export function EventCatalogue() {
  const { data, error, refetch } = useQuery(query(webhooks.catalogue, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <Table
      label="Catalogue des événements"
      rows={data.items}
      columns={columns}
      detail={{
        label: ({ label }) => `Exemple et schéma\u00a0: ${label}`,
        content: ({ sample, schema }) => (
          <div className="grid gap-4 py-2 lg:grid-cols-2 [&>*]:min-w-0">
            <CodePanel label="Exemple" code={formatJson(sample)} language="json" />
            <CodePanel label="Schéma (JSON Schema)" code={formatJson(schema)} language="json" />
          </div>
        ),
      }}
    />
  )
}

type VerificationSample = { id: 'node' | 'python' | 'php'; label: string; language: string; code: string }

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
