import type { DocEndpoint } from '@voisol/contract/api-docs'
import { useState } from 'react'
import { HighlightedCode } from '../../ui/code/highlighted.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { buildSnippet, LANGUAGES, type Language } from './snippets.ts'
import { SiteTabs } from './tabs.tsx'
import { TryOutForm } from './try-out.tsx'

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
export function EndpointDocs({ endpoint, origin, demo, language, onLanguage }: EndpointDocsProps) {
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
