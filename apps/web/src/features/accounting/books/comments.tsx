import { useQuery } from '@tanstack/react-query'
import { books } from '@voisol/contract/books'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Textarea } from '../../../components/input.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Props = { sellerId: string; source: string }
const COMMENT_KIND_LABELS = { question: 'demande', answer: 'répond', settled: 'clôt la question' }

/** A first word is a question; after one, it is an answer unless somebody asks again. */
const CommentForm = withAccess(books.addNote, ({ sellerId, source, asked }: Props & { asked: boolean }) => {
  const [text, setText] = useState('')
  const add = useAction(books.addNote, [books.notes, books.entries, books.questions, books.list])
  const send = (kind: 'question' | 'answer') =>
    add.run({ params: { sellerId }, body: { source, kind, text } }).then(
      () => setText(''),
      (error: unknown) =>
        toast({ title: 'Message non envoyé', description: explainError(error), variant: 'destructive' }),
    )
  const empty = text.trim().length < 3
  return (
    <div className="grid gap-2">
      <Textarea
        aria-label={asked ? 'Votre réponse' : 'Votre question'}
        placeholder={asked ? 'Votre réponse' : 'Une question sur cette écriture\u00a0?'}
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        {asked && (
          <Button size="small" disabled={empty} loading={add.isPending} onClick={() => void send('answer')}>
            Répondre
          </Button>
        )}
        <Button
          size="small"
          variant="secondary"
          disabled={empty}
          loading={add.isPending}
          onClick={() => void send('question')}
        >
          Poser la question
        </Button>
      </div>
    </div>
  )
})

/** What was asked and answered about an entry, kept with it. */
export function EntryComments({ sellerId, source }: Props) {
  const { data } = useQuery(query(books.notes, { params: { sellerId }, query: { source } }))
  if (!data) return null
  return (
    <section aria-label="Échanges" className="grid gap-3">
      {data.items.length > 0 && (
        <ol className="grid gap-3">
          {data.items.map(({ id, kind, text, author, at }) => (
            <li key={id} className="rounded-card border border-line bg-card px-4 py-3 text-body">
              <p className="text-[0.8125rem] text-ink-soft">
                {author} {COMMENT_KIND_LABELS[kind]}, {formatDateTime(at)}
              </p>
              <p className="whitespace-pre-line">{text}</p>
            </li>
          ))}
        </ol>
      )}
      <CommentForm sellerId={sellerId} source={source} asked={data.items.at(-1)?.kind === 'question'} />
    </section>
  )
}
