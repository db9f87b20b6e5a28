import type { DocEndpoint } from '@voisol/contract/api-docs'
import Play from 'lucide-react/icons/play'
import { type FormEvent, useState } from 'react'
import { randomId } from '../../lib/random-id.ts'
import { Button } from '../../ui/button.tsx'
import { Highlighted } from '../../ui/code/highlighted.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { post } from '../forms/post.ts'

/** No parameter of a call is named so. */
const KEY = '-key'

type Shown = { request: string; status: number; milliseconds: number; body: string }

function Answer({ request, status, milliseconds, body }: Shown) {
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
        <Highlighted code={body} language="json" />
      </pre>
    </div>
  )
}

/** Runs the call on the demonstration company, with the values of the fields. */
export function TryOut({ endpoint }: { endpoint: DocEndpoint }) {
  const [answer, setAnswer] = useState<Shown | null>(null)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const names = endpoint.fields.filter(({ place }) => place === 'query' || place === 'path').slice(0, 6)
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()] as const)
    const { [KEY]: key, ...query } = Object.fromEntries(given.filter(([, value]) => value !== ''))
    setBusy(true)
    setFault('')
    const reply = await post('/api/api-docs/try', { id: endpoint.id, query, ...(key && { key }) }, randomId())
    setBusy(false)
    if (reply.ok)
      setAnswer(reply.data as Shown) // the endpoint's own answer
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
        <FieldFrame id={`${endpoint.id}-${KEY}`} label="Votre clé d’API" optional>
          <Input id={`${endpoint.id}-${KEY}`} name={KEY} type="password" autoComplete="off" placeholder="vsl_…" />
        </FieldFrame>
      </div>
      <Button type="submit" className="justify-self-start" loading={busy} icon={<Play aria-hidden="true" />}>
        Lancer l’appel
      </Button>
      {fault && (
        <p role="alert" className="text-danger">
          {fault}
        </p>
      )}
      {answer && <Answer {...answer} />}
    </form>
  )
}
