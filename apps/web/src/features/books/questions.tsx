import { useQuery } from '@tanstack/react-query'
import { books } from '@voisol/contract/books'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { EntryComments } from './thread.tsx'

type Props = { choose: (change: Record<string, string | undefined>) => void }

/** What waits for an answer, of all entities; nothing where nothing does. */
export function UnansweredQuestions({ choose }: Props) {
  const { data } = useQuery(query(books.questions, {}))
  if (!data || data.items.length === 0) return null
  return (
    <Card title={formatCount(data.items.length, 'question sans réponse', 'questions sans réponse')}>
      <ul className="divide-y divide-line">
        {data.items.map(({ id, label, seller, sellerId, source, text, author, at }) => (
          <li key={id} className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
            <p className="font-medium">
              <button type="button" className="text-link" onClick={() => choose({ entite: sellerId })}>
                {seller}
              </button>
              , {label}
            </p>
            <details>
              <summary className="cursor-pointer">
                {text} <span className="text-[0.8125rem] text-ink-soft">{`${author}, ${formatDateTime(at)}`}</span>
              </summary>
              <div className="pt-3">
                <EntryComments sellerId={sellerId} source={source} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}
