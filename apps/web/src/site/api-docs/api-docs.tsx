import type { DocEndpoint, DocTab } from '@voisol/contract/api-docs'
import FileDown from 'lucide-react/icons/file-down'
import Play from 'lucide-react/icons/play'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import { Button } from '../../components/button.tsx'
import { HighlightedCode } from '../../components/code/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { cx } from '../../components/cx.ts'
import { FieldFrame, Input } from '../../components/input.tsx'
import { randomId } from '../../lib/random-id.ts'
import { postForm } from '../forms/post-form.ts'
import { HubScene } from '../illustrations/hub.tsx'
import { ContentListHeader, ContentListNotice } from '../resources/content-blocks.tsx'
import { buildSnippet, LANGUAGES, type Language } from './snippets.ts'

const DOC_TABS: readonly { value: DocTab; label: string; lead: string }[] = [
  {
    value: 'authentication',
    label: 'Authentification',
    lead: 'Un jeton s’obtient avec une adresse et un mot de passe\u00a0; il accompagne chaque appel dans l’en-tête Authorization et se renouvelle avant d’expirer.',
  },
  {
    value: 'operations',
    label: 'Opérations',
    lead: 'Les opérations d’autoconsommation collective et leurs participants. Les listes se lisent page par page.',
  },
  {
    value: 'energy',
    label: 'Données énergétiques',
    lead: 'Production et consommation au pas que vous choisissez, avec leurs totaux. Un pas sans donnée est absent, jamais nul. Un participant lit ses propres chiffres avec le jeton qu’il crée dans son profil\u00a0: un capteur REST de Home Assistant appelle /api/own/figures, un tableur ouvre /api/own/days ou /api/own/invoices en CSV, le jeton dans l’en-tête Authorization ou, faute d’en-tête, dans l’adresse (?key=…).',
  },
  {
    value: 'webhooks',
    label: 'Webhooks',
    lead: 'Votre serveur est prévenu de ce qui se passe. Chaque envoi est signé avec votre secret et répété tant qu’il n’est pas reçu, sous le même identifiant (id). Le numéro de l’événement (sequence) donne l’ordre, que les envois ne suivent pas.',
  },
]
type Docs = { version: string; endpoints: DocEndpoint[]; demo: boolean }

async function downloadPdf() {
  try {
    const response = await fetch('/api/pdf/generate-api-docs')
    if (!response.ok) throw new Error(`${response.status}: ${response.statusText}`)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = 'documentation-api-voisol.pdf'
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  } catch (error) {
    console.error(error)
    window.alert('Erreur lors du téléchargement de la documentation. Veuillez réessayer.')
  }
}

function PdfButton() {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await downloadPdf()
    setBusy(false)
  }
  return (
    <Button size="large" loading={busy} icon={<FileDown aria-hidden="true" />} onClick={() => void run()}>
      Télécharger la documentation (PDF)
    </Button>
  )
}

function ApiDocsContent({ endpoints, demo }: Docs) {
  const [tab, setTab] = useState<DocTab>('authentication')
  const [language, setLanguage] = useState<Language>('javascript')
  const [origin, setOrigin] = useState('https://voisol.fr')
  useEffect(() => setOrigin(location.origin), [])
  return (
    <SiteTabs label="Parties de l’API" tabs={DOC_TABS} value={tab} onChange={setTab}>
      <p className="prose-width pt-8 text-lg text-ink-soft">{DOC_TABS.find(({ value }) => value === tab)?.lead}</p>
      {endpoints
        .filter((endpoint) => endpoint.tab === tab)
        .map((endpoint) => (
          <EndpointDocs
            key={endpoint.id}
            endpoint={endpoint}
            origin={origin}
            demo={demo}
            language={language}
            onLanguage={setLanguage}
          />
        ))}
    </SiteTabs>
  )
}

export default function ApiDocs() {
  const docs = useLoaderData<Docs | null | undefined>()
  return (
    <>
      <ContentListHeader
        eyebrow="API"
        illustration={HubScene}
        title="Brancher vos logiciels sur Voisol"
        lead="Une API HTTP en JSON. Cette page est écrite d’après le contrat que le serveur applique&nbsp;: ce qui est décrit ici est ce qui répond."
      >
        <div className="mt-8 flex flex-wrap gap-3">
          <PdfButton />
          <a href="/api/openapi.json" className="inline-flex min-h-12 items-center px-2 font-medium text-link">
            Description OpenAPI 3.1
          </a>
        </div>
      </ContentListHeader>
      <div className="mx-auto max-w-[1040px] px-4 py-12 sm:px-6 lg:py-16">
        {docs ? <ApiDocsContent {...docs} /> : <ContentListNotice known={false} empty="" />}
      </div>
    </>
  )
}

const METHOD_CLASSES: Record<string, string> = {
  GET: 'bg-success-soft text-success',
  POST: 'bg-primary-soft text-primary-ink',
  DELETE: 'bg-danger-soft text-danger',
}
const FIELD_PLACE_LABELS = { path: 'adresse', query: 'adresse, après\u00a0?', body: 'corps', response: 'réponse' }

const CodePanel = ({ title, code, language }: { title: string; code: string; language: string }) => (
  <div className="relative">
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      aria-label={title}
      className="max-h-96 overflow-auto p-4 pr-28 text-[0.8125rem] leading-relaxed text-slate-100"
    >
      <pre>
        <HighlightedCode code={code} language={language} />
      </pre>
    </section>
    <div className="absolute top-3 right-3">
      <CopyButton text={code} />
    </div>
  </div>
)

function FieldTable({ endpoint, of }: { endpoint: DocEndpoint; of: 'asked' | 'answered' }) {
  const fields = endpoint.fields.filter(({ place }) => (place === 'response') === (of === 'answered'))
  if (fields.length === 0) return null
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      aria-label={of === 'asked' ? `Paramètres\u00a0: ${endpoint.summary}` : `Réponse\u00a0: ${endpoint.summary}`}
      className="overflow-x-auto"
    >
      <table className="w-full min-w-[34rem] border-collapse text-[0.9375rem]">
        <caption className="pb-2 text-left font-medium">{of === 'asked' ? 'Paramètres' : 'Réponse'}</caption>
        <thead>
          <tr className="border-b border-line text-left text-[0.8125rem] text-ink-soft">
            {['Nom', 'Type', ...(of === 'asked' ? ['Place'] : []), 'Sens'].map((head) => (
              <th key={head} scope="col" className="py-2 pr-4 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, place, type, required, description }) => (
            <tr key={`${place} ${name}`} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-2 pr-4 text-left font-normal">
                <code>{name}</code>
                {of === 'asked' && required && (
                  <span className="block text-[0.8125rem] text-ink-soft">obligatoire</span>
                )}
              </th>
              <td className="py-2 pr-4 text-ink-soft">{type}</td>
              {of === 'asked' && <td className="py-2 pr-4 text-ink-soft">{FIELD_PLACE_LABELS[place]}</td>}
              <td className="py-2 text-ink-soft">{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type EndpointDocsProps = {
  endpoint: DocEndpoint
  origin: string
  demo: boolean
  language: Language
  onLanguage: (language: Language) => void
}

/** One call: what it asks, what it answers, how it is written, and a way to try it. */
function EndpointDocs({ endpoint, origin, demo, language, onLanguage }: EndpointDocsProps) {
  const [open, setOpen] = useState(false)
  const code = buildSnippet(language, endpoint, origin)
  return (
    <article
      id={endpoint.id.replace('.', '-')}
      className="grid scroll-mt-24 gap-6 border-b border-line py-10 last:border-0 [&>*]:min-w-0"
    >
      <header>
        <h2 className="text-2xl font-semibold">{endpoint.summary}</h2>
        <p className="mt-2 flex flex-wrap items-center gap-3">
          <span
            className={cx('rounded-md px-2 py-0.5 text-[0.8125rem] font-semibold', METHOD_CLASSES[endpoint.method])}
          >
            {endpoint.method}
          </span>
          <code className="break-all">{endpoint.path}</code>
        </p>
      </header>
      <div className="overflow-hidden rounded-card bg-ink p-2">
        <SiteTabs label="Langage" look="small" tabs={LANGUAGES} value={language} onChange={onLanguage}>
          <CodePanel title={`Appel en ${language}\u00a0: ${endpoint.summary}`} code={code} language={language} />
        </SiteTabs>
      </div>
      <FieldTable endpoint={endpoint} of="asked" />
      <FieldTable endpoint={endpoint} of="answered" />
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="min-h-6 cursor-pointer font-medium text-primary-ink">
          {open ? 'Masquer' : 'Voir'} un exemple de réponse et les erreurs possibles
        </summary>
        <div className="mt-4 overflow-hidden rounded-card bg-ink">
          <CodePanel
            title={`Exemple de réponse\u00a0: ${endpoint.summary}`}
            code={endpoint.example.response}
            language="json"
          />
        </div>
        <ul className="mt-4 grid gap-1.5 text-[0.9375rem] text-ink-soft">
          {endpoint.errors.map(({ status, code: name, message }) => (
            <li key={name}>
              <code>
                {status} {name}
              </code>{' '}
              {message}
            </li>
          ))}
        </ul>
      </details>
      {demo && endpoint.tryable && <TryOutForm endpoint={endpoint} />}
    </article>
  )
}

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
function TryOutForm({ endpoint }: { endpoint: DocEndpoint }) {
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

type SiteTab<V extends string> = { value: V; label: string }
type TabsProps<V extends string> = {
  label: string
  tabs: readonly SiteTab<V>[]
  value: V
  onChange: (value: V) => void
  look?: 'line' | 'small'
  children: ReactNode
}

const tabClasses = {
  line: '-mb-px min-h-12 border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-selected:border-local aria-selected:text-ink',
  small:
    'min-h-8 rounded-md px-3 text-[0.875rem] text-slate-300 hover:text-white aria-selected:bg-white/15 aria-selected:text-white',
}
const rowClasses = { line: 'gap-6 border-b border-line', small: 'gap-1' }

/** A row of tabs and the panel of the chosen one; arrows move between them. */
function SiteTabs<V extends string>({ label, tabs, value, onChange, look = 'line', children }: TabsProps<V>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    row.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <div>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className={cx('flex overflow-x-auto overflow-y-hidden', rowClasses[look])}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={cx('shrink-0 transition-colors duration-150', tabClasses[look])}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  )
}
