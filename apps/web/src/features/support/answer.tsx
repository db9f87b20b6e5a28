import { useQuery } from '@tanstack/react-query'
import { type CannedReply, type SupportTicket, supportDesk } from '@voisol/contract/support-desk'
import { fillReply } from '@voisol/contract/support-words'
import { type RefObject, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { AttachedFilesRow, useAttachedFiles } from './files.tsx'

export type WritingMode = 'answer' | 'note'
const STATE_AFTER_OPTIONS = [
  { value: 'waiting', label: 'puis attendre le demandeur' },
  { value: 'solved', label: 'et résoudre' },
  { value: 'open', label: 'et garder en cours' },
]
type StateAfterAnswer = 'waiting' | 'solved' | 'open'

type Props = {
  ticket: SupportTicket
  mode: WritingMode
  onMode: (mode: WritingMode) => void
  field: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
}

/** Answers that are given often, filled in for this ticket. */
function CannedReplySelect({ ticket, onTake }: { ticket: SupportTicket; onTake: (text: string) => void }) {
  const { data } = useQuery(query(supportDesk.canned, { query: { desk: ticket.desk } }))
  const items = data?.items ?? []
  if (!items.length) return null
  const takeReply = (reply: CannedReply | undefined) => reply && onTake(fillReply(reply.body, ticket.fields))
  return (
    <Select
      aria-label="Prendre une réponse type"
      className="max-w-56"
      value=""
      onChange={(event) => takeReply(items.find(({ id }) => id === event.target.value))}
    >
      <option value="">Réponse type…</option>
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

const ModeSwitch = ({ mode, onMode }: Pick<Props, 'mode' | 'onMode'>) => (
  <fieldset className="flex gap-1">
    <legend className="sr-only">Ce que vous écrivez</legend>
    {(['answer', 'note'] as const).map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={mode === one}
        onClick={() => onMode(one)}
        className="min-h-9 rounded-full px-3 text-body font-medium text-ink-soft hover:text-ink aria-pressed:bg-primary-soft aria-pressed:text-primary-ink"
      >
        {one === 'answer' ? 'Répondre' : 'Note interne'}
      </button>
    ))}
  </fieldset>
)

/** What is being written, and how it leaves. */
function useAnswer({ ticket, mode, onSent }: Pick<Props, 'ticket' | 'mode' | 'onSent'>) {
  const refreshedCalls = [supportDesk.get, supportDesk.queue, supportDesk.figures]
  const answer = useAction(supportDesk.answer, refreshedCalls)
  const note = useAction(supportDesk.note, [supportDesk.get])
  const attach = useAction(supportDesk.attach, [])
  const [text, setText] = useState('')
  const [leaves, setLeaves] = useState<StateAfterAnswer>('waiting')
  const params = { id: ticket.id }
  const attached = useAttachedFiles((file) => attach.run({ params, query: { name: file.name }, upload: file }))
  const send = async () => {
    if (!text.trim()) return
    try {
      if (mode === 'note') await note.run({ params, body: { body: text } })
      else await answer.run({ params, body: { body: text, fileIds: attached.ids, leaves } })
      setText('')
      attached.clear()
      toast({ title: mode === 'note' ? 'Note gardée' : 'Réponse envoyée', variant: 'success' })
      if (mode === 'answer') onSent()
    } catch (error) {
      toast({ title: 'Rien n’est parti', description: explainError(error), variant: 'destructive' })
    }
  }
  return { text, setText, leaves, setLeaves, kept: attached, send, busy: answer.isPending || note.isPending }
}

/** The place where the desk writes: to the asker, or for itself. */
export const AnswerForm = withAccess(supportDesk.answer, (props: Props) => {
  const { ticket, mode, onMode, field } = props
  const { text, setText, leaves, setLeaves, kept: attached, send, busy } = useAnswer(props)
  const insertReply = (filled: string) => {
    setText((old) => (old.trim() ? `${old}\n\n${filled}` : filled))
    field.current?.focus()
  }
  const label = mode === 'note' ? 'Note pour l’équipe, que le demandeur ne voit jamais' : 'Votre réponse'
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ModeSwitch mode={mode} onMode={onMode} />
        {mode === 'answer' && <CannedReplySelect ticket={ticket} onTake={insertReply} />}
      </div>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        rows={4}
        value={text}
        className={mode === 'note' ? 'bg-warning-soft' : ''}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        {mode === 'answer' ? <AttachedFilesRow kept={attached} /> : <span />}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {mode === 'answer' && (
            <Select
              aria-label="Une fois la réponse envoyée"
              className="w-56"
              options={STATE_AFTER_OPTIONS}
              value={leaves}
              onChange={(event) => setLeaves(event.target.value as StateAfterAnswer)} // the options are these
            />
          )}
          <Button type="submit" disabled={!text.trim() || attached.busy} loading={busy}>
            {mode === 'note' ? 'Garder la note' : 'Envoyer la réponse'}
          </Button>
        </div>
      </div>
    </form>
  )
})
