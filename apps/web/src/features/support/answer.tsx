import { useQuery } from '@tanstack/react-query'
import { type CannedReply, type DeskTicket, supportDesk } from '@voisol/contract/support-desk'
import { fillReply } from '@voisol/contract/support-words'
import { type RefObject, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { FileRow, useFiles } from './files.tsx'

export type Mode = 'answer' | 'note'
const AFTER = [
  { value: 'waiting', label: 'puis attendre le demandeur' },
  { value: 'solved', label: 'et résoudre' },
  { value: 'open', label: 'et garder en cours' },
]
type After = 'waiting' | 'solved' | 'open'

type Props = {
  ticket: DeskTicket
  mode: Mode
  onMode: (mode: Mode) => void
  field: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
}

/** Answers that are given often, filled in for this ticket. */
function Canned({ ticket, onTake }: { ticket: DeskTicket; onTake: (text: string) => void }) {
  const { data } = useQuery(query(supportDesk.canned, { query: { desk: ticket.desk } }))
  const items = data?.items ?? []
  if (!items.length) return null
  const take = (reply: CannedReply | undefined) => reply && onTake(fillReply(reply.body, ticket.fields))
  return (
    <Select
      aria-label="Prendre une réponse type"
      className="max-w-56"
      value=""
      onChange={(event) => take(items.find(({ id }) => id === event.target.value))}
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

const Modes = ({ mode, onMode }: Pick<Props, 'mode' | 'onMode'>) => (
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
function useWriting({ ticket, mode, onSent }: Pick<Props, 'ticket' | 'mode' | 'onSent'>) {
  const refreshed = [supportDesk.get, supportDesk.queue, supportDesk.figures]
  const answer = useAction(supportDesk.answer, refreshed)
  const note = useAction(supportDesk.note, [supportDesk.get])
  const attach = useAction(supportDesk.attach, [])
  const [text, setText] = useState('')
  const [leaves, setLeaves] = useState<After>('waiting')
  const params = { id: ticket.id }
  const kept = useFiles((file) => attach.run({ params, query: { name: file.name }, upload: file }))
  const send = async () => {
    if (!text.trim()) return
    try {
      if (mode === 'note') await note.run({ params, body: { body: text } })
      else await answer.run({ params, body: { body: text, fileIds: kept.ids, leaves } })
      setText('')
      kept.clear()
      toast({ title: mode === 'note' ? 'Note gardée' : 'Réponse envoyée', variant: 'success' })
      if (mode === 'answer') onSent()
    } catch (error) {
      toast({ title: 'Rien n’est parti', description: explain(error), variant: 'destructive' })
    }
  }
  return { text, setText, leaves, setLeaves, kept, send, busy: answer.isPending || note.isPending }
}

/** The place where the desk writes: to the asker, or for itself. */
export const Answer = only(supportDesk.answer, (props: Props) => {
  const { ticket, mode, onMode, field } = props
  const { text, setText, leaves, setLeaves, kept, send, busy } = useWriting(props)
  const take = (filled: string) => {
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
        <Modes mode={mode} onMode={onMode} />
        {mode === 'answer' && <Canned ticket={ticket} onTake={take} />}
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
        {mode === 'answer' ? <FileRow kept={kept} /> : <span />}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {mode === 'answer' && (
            <Select
              aria-label="Une fois la réponse envoyée"
              className="w-56"
              options={AFTER}
              value={leaves}
              onChange={(event) => setLeaves(event.target.value as After)} // the options are these
            />
          )}
          <Button type="submit" disabled={!text.trim() || kept.busy} loading={busy}>
            {mode === 'note' ? 'Garder la note' : 'Envoyer la réponse'}
          </Button>
        </div>
      </div>
    </form>
  )
})
