import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content, type Suggestion } from '@voisol/contract/content'
import BookOpen from 'lucide-react/icons/book-open'
import { useEffect, useState } from 'react'
import { query } from '../../../lib/queries.ts'

const PAUSE_MS = 400
const MIN_TEXT_LENGTH = 4

export const SuggestionLink = ({ kind, title, summary, path }: Suggestion) => (
  <a href={path} target="_blank" rel="noreferrer" className="group block rounded-card p-3 no-underline hover:bg-page">
    <span className="block font-medium text-link group-hover:underline">{title}</span>
    <span className="mt-0.5 line-clamp-2 block text-[0.8125rem] text-ink-soft">
      {kind === 'guide' ? 'Guide. ' : ''}
      {summary}
    </span>
  </a>
)

/** What may answer already, while one is still typing; said without interrupting. */
export function AnswerSuggestions({ text }: { text: string }) {
  const [searchText, setSearchText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(text.trim().slice(0, 500)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const enabled = searchText.length >= MIN_TEXT_LENGTH
  const { data } = useQuery({
    ...query(content.suggest, { query: { q: searchText, size: 3 } }),
    enabled,
    placeholderData: keepPreviousData,
  })
  const items = enabled ? (data?.items ?? []) : []
  return (
    <div aria-live="polite">
      {items.length > 0 && (
        <section aria-label="Réponses possibles" className="rounded-card border border-line bg-card p-2">
          <h2 className="flex items-center gap-2 px-3 pt-2 text-body font-semibold">
            <BookOpen aria-hidden="true" className="size-4 text-primary-ink" />
            Peut-être la réponse
          </h2>
          <ul>
            {items.map((item) => (
              <li key={`${item.kind} ${item.slug}`}>
                <SuggestionLink {...item} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
