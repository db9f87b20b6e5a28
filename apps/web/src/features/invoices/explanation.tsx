import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

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
