import type { EnedisCall, EnedisFault } from '@voisol/contract/enedis'
import ChevronDown from 'lucide-react/icons/chevron-down'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { Fragment } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { cardClass } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { Table } from '../../../../components/table.tsx'
import { BACKEND_LABELS } from '../../../../lib/distributor-labels.ts'
import { CodeBlock } from '../trace/code-block.tsx'

const METHOD_CLASSES: Record<string, string> = {
  GET: 'bg-success-soft text-success',
  POST: 'bg-primary-soft text-primary-ink',
  PUT: 'bg-warning-soft text-warning',
}

export const HttpMethod = ({ method }: { method: string }) => (
  <span
    className={cx(
      'inline-block min-w-12 shrink-0 rounded-md px-2 py-0.5 text-center text-xs font-semibold',
      METHOD_CLASSES[method] ?? 'bg-slate-100 text-slate-700',
    )}
  >
    {method}
  </span>
)

/** Cut where an address has its joints, not inside a word. */
export const ApiPath = ({ path }: { path: string }) => (
  <code className="min-w-0 py-0.5 break-words">
    {path.split(/(?=[/?&])/).map((part, at) => (
      <Fragment key={path.slice(0, at) + part}>
        <wbr />
        {part}
      </Fragment>
    ))}
  </code>
)

const CallDetails = ({ call }: { call: EnedisCall }) => (
  <details className="group border-t border-line first:border-t-0">
    <summary className="flex list-none items-start gap-3 px-5 py-4 hover:bg-page sm:items-center [&::-webkit-details-marker]:hidden">
      <span className="grid min-w-0 grow gap-x-4 gap-y-1.5 md:grid-cols-[minmax(12rem,2fr)_3fr] md:items-center">
        <span className="text-body font-medium">{getShortCallLabel(call)}</span>
        <span className="flex min-w-0 items-start gap-2 text-[0.8125rem] text-ink-soft">
          <HttpMethod method={call.method} />
          <ApiPath path={call.path} />
        </span>
      </span>
      <ChevronDown
        aria-hidden="true"
        className="mt-0.5 size-4 text-ink-soft transition-transform duration-150 group-open:rotate-180 sm:mt-0"
      />
    </summary>
    <div className="grid gap-5 px-5 pt-1 pb-6 [&>*]:min-w-0">
      {call.notes.length > 0 && (
        <ul className="prose-width grid list-disc gap-1 pl-5 text-body text-ink-soft">
          {call.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <CallParams call={call} />
      {call.example && <CodeBlock label={`Exemple de réponse\u00a0: ${call.label}`} body={call.example} />}
      <ButtonLink
        variant="secondary"
        size="small"
        className="justify-self-start"
        to={`/enedis-test?appel=${encodeURIComponent(call.id)}`}
        icon={<FlaskConical aria-hidden="true" />}
      >
        Tester cet appel
      </ButtonLink>
    </div>
  </details>
)

/** The calls of one interface; each opens to what it asks and what it answers. */
export const CallGroup = ({ group }: { group: CallInterface }) => (
  <section id={group.id} className="grid scroll-mt-20 gap-3 [&>*]:min-w-0">
    <h2 className="text-lg font-semibold">{group.title}</h2>
    <div className={cx(cardClass, 'overflow-hidden')}>
      {group.calls.map((call) => (
        <CallDetails key={call.id} call={call} />
      ))}
    </div>
  </section>
)

type CallParam = EnedisCall['params'][number]

const PARAM_KIND_LABELS: Record<CallParam['kind'], string> = {
  prm: '14 chiffres',
  acc: 'ACC et 8 chiffres',
  day: 'Jour, AAAA-MM-JJ',
  text: 'Texte',
}

/** What a call asks for. */
const CallParams = ({ call }: { call: EnedisCall }) =>
  call.params.length === 0 ? (
    <p className="text-body text-ink-soft">Aucun paramètre.</p>
  ) : (
    <Table
      label={`Paramètres\u00a0: ${call.label}`}
      rows={call.params.map((param) => ({ ...param, id: param.name }))}
      columns={[
        { header: 'Nom', cell: ({ name }) => <code className="whitespace-nowrap">{name}</code> },
        { header: 'Sens', cell: ({ label }) => label },
        { header: 'Forme', cell: ({ kind }) => <span className="whitespace-nowrap">{PARAM_KIND_LABELS[kind]}</span> },
        { header: 'Exemple', cell: ({ example }) => <code className="whitespace-nowrap">{example}</code> },
        { header: 'Obligatoire', cell: ({ required }) => (required ? 'Oui' : 'Non') },
      ]}
    />
  )

type CallInterface = { id: string; title: string; calls: EnedisCall[] }

const INTERFACE_TITLES: Record<string, string> = {
  ...BACKEND_LABELS,
  gateway: 'Accès',
  collective: 'Autoconsommation collective, version\u00a04',
}

/** Under the title of its interface a call need not repeat it. */
export const getShortCallLabel = ({ label }: EnedisCall) => label.replace(/ \([^()]*\)$/, '')

/** By the interface that answers, in the order in which the calls are given. */
export function groupCallsByInterface(calls: EnedisCall[]): CallInterface[] {
  const names = [...new Set(calls.map(({ backend }) => backend))]
  return names.map((name) => ({
    id: `interface-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    title: INTERFACE_TITLES[name] ?? name,
    calls: calls.filter(({ backend }) => backend === name),
  }))
}

const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word searched for is somewhere in the code, its meaning or its remedy; accents and capitals do not matter. */
export function findFaults(faults: EnedisFault[], search: string, nature?: string): EnedisFault[] {
  const searchWords = foldText(search).split(/\s+/).filter(Boolean)
  return faults.filter((fault) => {
    const text = foldText(`${fault.code} ${fault.status ?? ''} ${fault.message} ${fault.explanation} ${fault.remedy}`)
    return (!nature || fault.nature === nature) && searchWords.every((word) => text.includes(word))
  })
}
