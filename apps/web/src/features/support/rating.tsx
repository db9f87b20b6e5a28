import { support, type Ticket } from '@voisol/contract/support'
import Star from 'lucide-react/icons/star'
import { useState } from 'react'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { SCORE_LABELS } from './words.ts'

const ScoreChoice = ({ score, onChoose }: { score: number; onChoose: (score: number) => void }) => (
  <fieldset>
    <legend className="text-body font-medium">La réponse vous a-t-elle aidé&nbsp;?</legend>
    <div className="mt-2 flex gap-1">
      {SCORE_LABELS.map((label, at) => (
        <label key={label} className="cursor-pointer" title={label}>
          <input
            type="radio"
            name="score"
            value={at + 1}
            checked={score === at + 1}
            onChange={() => onChoose(at + 1)}
            className="peer sr-only"
          />
          <span className="grid size-11 place-items-center rounded-button peer-focus-visible:outline-2 peer-focus-visible:outline-(--ring) hover:bg-page">
            <Star
              aria-hidden="true"
              className={cx('size-6', at < score ? 'fill-amber-400 text-amber-600' : 'text-ink-soft')}
            />
            <span className="sr-only">{`${at + 1} sur 5\u00a0: ${label}`}</span>
          </span>
        </label>
      ))}
    </div>
    <p aria-live="polite" className="min-h-5 text-[0.8125rem] text-ink-soft">
      {SCORE_LABELS[score - 1] ?? ''}
    </p>
  </fieldset>
)

/** Asked once it is solved; it can be changed. */
export function TicketRating({ ticket }: { ticket: Ticket }) {
  const rate = useAction(support.rate, [support.get, support.list])
  const [score, setScore] = useState(ticket.score ?? 0)
  const [comment, setComment] = useState(ticket.scoreWord)
  const send = () =>
    rate.run({ params: { id: ticket.id }, body: { score, word: comment } }).then(
      () => toast({ title: 'Merci de votre avis', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Avis non enregistré', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Card>
      <div className="grid gap-3">
        <ScoreChoice score={score} onChoose={setScore} />
        <FieldFrame id="score-word" label="Un mot de plus" optional>
          <Input
            id="score-word"
            value={comment}
            maxLength={1000}
            onChange={(event) => setComment(event.target.value)}
          />
        </FieldFrame>
        <Button className="justify-self-start" disabled={!score} loading={rate.isPending} onClick={() => void send()}>
          {ticket.score ? 'Changer mon avis' : 'Donner mon avis'}
        </Button>
      </div>
    </Card>
  )
}
