import type { DocEndpoint } from '@voisol/contract/api-docs'
import Play from 'lucide-react/icons/play'
import { type FormEvent, useState } from 'react'
import { randomId } from '../../lib/random-id.ts'
import { Button } from '../../ui/button.tsx'
import { HighlightedCode } from '../../ui/code/highlighted.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { postForm } from '../forms/post.ts'

/** No parameter of a call is named so. */
const API_KEY_FIELD = '-key'

type TryOutReply = { request: string; status: number; milliseconds: number; body: string }

function TryOutResult({ request, status, milliseconds, body }: TryOutReply) {
  return (
    <div className="grid gap-2" role="status">
      <p className="text-[0.9375rem]">
        <code className="break-all">{request}</code> a répondu <strong>{status}</strong> en {Math.round(milliseconds)}
        &nbsp;ms.
      </p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-card bg-ink p-4 text-[0.8125rem] leading-relaxed text-slate-100"
      >
        <HighlightedCode code={body} language="json" />
      </pre>
    </div>
  )
}

/** Runs the call on the demonstration company, with the values of the fields. */
export function TryOutForm({ endpoint }: { endpoint: DocEndpoint }) {
  const [answer, setAnswer] = useState<TryOutReply | null>(null)
  const [errorMessage, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const names = endpoint.fields.filter(({ place }) => place === 'query' || place === 'path').slice(0, 6)
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fieldValues = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, String(value).trim()] as const,
    )
    const { [API_KEY_FIELD]: key, ...query } = Object.fromEntries(fieldValues.filter(([, value]) => value !== ''))
    setBusy(true)
    setFault('')
    const reply = await postForm('/api/api-docs/try', { id: endpoint.id, query, ...(key && { key }) }, randomId())
    setBusy(false)
    if (reply.ok)
      setAnswer(reply.data as TryOutReply) // the endpoint's own answer
    else setFault(reply.message)
  }
  return (
    <form onSubmit={run} className="grid gap-4 rounded-card border border-[#fbd38a] bg-[#fffaf0] p-5">
      <p className="font-medium">Essayer sur les données de démonstration, ou sur les vôtres avec une clé d’API</p>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {names.map(({ name }) => (
          <FieldFrame key={name} id={`${endpoint.id}-${name}`} label={<code>{name}</code>} optional>
            <Input id={`${endpoint.id}-${name}`} name={name} autoComplete="off" />
          </FieldFrame>
        ))}
        <FieldFrame id={`${endpoint.id}-${API_KEY_FIELD}`} label="Votre clé d’API" optional>
          <Input
            id={`${endpoint.id}-${API_KEY_FIELD}`}
            name={API_KEY_FIELD}
            type="password"
            autoComplete="off"
            placeholder="vsl_…"
          />
        </FieldFrame>
      </div>
      <Button type="submit" className="justify-self-start" loading={busy} icon={<Play aria-hidden="true" />}>
        Lancer l’appel
      </Button>
      {errorMessage && (
        <p role="alert" className="text-danger">
          {errorMessage}
        </p>
      )}
      {answer && <TryOutResult {...answer} />}
    </form>
  )
}
