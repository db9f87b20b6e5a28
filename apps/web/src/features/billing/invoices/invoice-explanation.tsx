import { useQuery } from '@tanstack/react-query'
import type { RecomputedPart, RecomputedStep } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import Calculator from 'lucide-react/icons/calculator'
import Check from 'lucide-react/icons/check'
import CircleHelp from 'lucide-react/icons/circle-help'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { formatStep } from './formula-text.ts'

function RecomputedParts({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(invoices.recompute, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-48 w-full" />
  return (
    <div className="animate-appear">
      <p role="status" className={data.same ? 'font-medium text-success' : 'font-medium text-danger'}>
        {data.same
          ? 'Chaque montant, recalculé à partir des quantités et des prix, est celui du document.'
          : 'Un montant recalculé diffère du document\u00a0: il est marqué ci-dessous.'}
      </p>
      <div className="mt-2 divide-y divide-line">
        {data.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an issued document never change
          <RecomputedPartView key={`${part.part} ${at}`} part={part} />
        ))}
      </div>
    </div>
  )
}

/** The arithmetic in front of the reader: what went in, exactly, and rounded once. */
export function Recompute({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Recalculer"
      description="Toutes les opérations, de l’énergie mesurée au centime, refaites devant vous."
      actions={
        !open && (
          <Button variant="secondary" icon={<Calculator aria-hidden="true" />} onClick={() => setOpen(true)}>
            Recalculer ce document
          </Button>
        )
      }
    >
      {open && <RecomputedParts id={id} />}
    </Card>
  )
}

/** One operation: what went in, what it is exactly, what it became. */
const RecomputedStepRow = ({ step }: { step: RecomputedStep }) => {
  const { title, sum, exact, result } = formatStep(step)
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-1.5 sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span className="text-ink-soft">{title}</span>
      <span className="tabular min-w-0 break-words">
        {sum}
        {exact && <span className="text-ink-soft"> = {exact}</span>}
      </span>
      <span className="tabular font-medium sm:text-right">→ {result}</span>
    </li>
  )
}

const RecomputedSteps = ({ steps }: { steps: RecomputedStep[] }) => (
  <ol className="divide-y divide-line text-[0.8125rem]">
    {steps.map((step) => (
      <RecomputedStepRow key={`${step.formula} ${JSON.stringify(step.inputs)}`} step={step} />
    ))}
  </ol>
)

const MATCH_VERDICTS = {
  same: { icon: Check, words: 'Identique', tone: 'text-success' },
  other: { icon: X, words: 'Différent', tone: 'text-danger' },
  unknown: { icon: CircleHelp, words: 'Différence entre deux documents', tone: 'text-ink-soft' },
}
function MatchVerdict({ same }: { same: boolean | null }) {
  const { icon: Icon, words, tone } = MATCH_VERDICTS[same === null ? 'unknown' : same ? 'same' : 'other']
  return (
    <span className={cx('inline-flex items-center gap-1 text-[0.8125rem] font-medium', tone)}>
      <Icon aria-hidden="true" className="size-4" />
      {words}
    </span>
  )
}

const RecomputedPartView = ({ part }: { part: RecomputedPart }) => (
  <section className="grid gap-1 py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h3 className="text-body font-medium">{part.label}</h3>
      <span className="flex items-center gap-3">
        <MatchVerdict same={part.same} />
        <span className="tabular font-medium">{formatMoney(part.printed)}</span>
      </span>
    </div>
    {part.part !== 'total' && part.steps.length > 0 && <RecomputedSteps steps={part.steps} />}
  </section>
)

const TOPIC_TITLES: Record<string, string> = {
  document: 'Ce que c’est',
  correction: 'Pourquoi ce document',
  local: 'Votre part locale',
  complement: 'Le complément',
  change: 'Ce qui change',
  price: 'Le prix',
  accise: 'L’accise',
  fee: 'Les frais',
  allowance: 'La remise',
  tax: 'La taxe',
  total: 'En tout',
  source: 'D’où viennent les chiffres',
}

/** A document in plain words, as its client reads it. */
export function InvoiceExplanation({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(invoices.explain, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const groups = [...Map.groupBy(data.sentences, ({ about }) => about)]
  return (
    <dl className="grid gap-3">
      {groups.map(([about, sentences]) => (
        <div key={about} className="grid gap-0.5">
          <dt className="text-[0.8125rem] font-medium text-ink-soft">{TOPIC_TITLES[about] ?? about}</dt>
          {sentences.map(({ text }) => (
            <dd key={text} className={about === 'total' ? 'font-semibold' : 'prose-width'}>
              {text}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
