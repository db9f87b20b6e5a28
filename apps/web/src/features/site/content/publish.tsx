import { type ContentRow, content } from '@voisol/contract/content'
import { useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { Confirm, Dialog, DialogClose } from '../../../components/dialog.tsx'
import { FieldFrame } from '../../../components/input.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { getErrorReason } from '../../../lib/call.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { parseParisInput } from '../../../lib/paris-time.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import type { ContentEditorState } from './use-content.ts'

const TIMING_OPTIONS = [
  { value: 'now', label: 'Tout de suite', hint: 'En ligne dans la seconde.' },
  { value: 'later', label: 'À une date', hint: 'Le contenu reste invisible jusque-là.' },
]

/** Saves what is written, then shows it: what was seen in the preview is what readers get. */
function usePublish({ save, record, dirty, follow, notice }: ContentEditorState) {
  const publish = useAction(content.publish, [content.list, content.versions])
  return async (at: string | null) => {
    const saved = dirty || !record ? await save() : record
    if (!saved) return false
    follow(await publish.run({ params: { id: saved.id }, body: { version: saved.version, at } }).catch(notice))
    const title = at ? 'Publication programmée' : 'En ligne'
    toast({ title, ...(at && { description: `Le ${formatDateTime(at)}, heure de Paris.` }), variant: 'success' })
    return true
  }
}

function usePublishDialog(writing: ContentEditorState) {
  const [open, setOpen] = useState(false)
  const [when, setWhen] = useState('now')
  const [day, setDay] = useState('')
  const [problem, setProblem] = useState('')
  const [working, setWorking] = useState(false)
  const publish = usePublish(writing)
  const change = (next: boolean) => {
    setOpen(next)
    setProblem('')
  }
  const run = async () => {
    const at = when === 'later' ? parseParisInput(day) : null
    if (when === 'later' && (!at || Date.parse(at) <= Date.now()))
      return setProblem('Choisissez une date et une heure à venir.')
    setWorking(true)
    setProblem('')
    // A draft that cannot be saved says why in the form itself.
    await publish(at).then(
      () => change(false),
      (error: unknown) => setProblem(getErrorReason(error)),
    )
    setWorking(false)
  }
  return { open, change, when, setWhen, day, setDay, problem, working, run }
}

export function PublishDialog({ writing }: { writing: ContentEditorState }) {
  const { open, change, when, setWhen, day, setDay, problem, working, run } = usePublishDialog(writing)
  const id = useId()
  const live = writing.record?.status === 'published'
  const nothingNew = live && !writing.dirty && !writing.record?.hasChanges
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      trigger={<Button disabled={writing.stale || nothingNew}>{live ? 'Publier les modifications' : 'Publier'}</Button>}
      title={live ? 'Publier les modifications' : 'Publier'}
      description={writing.dirty ? 'Ce que vous avez écrit est d’abord enregistré.' : undefined}
      width="narrow"
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Annuler</Button>
          </DialogClose>
          <Button loading={working} onClick={() => void run()}>
            {when === 'later' ? 'Programmer la publication' : 'Mettre en ligne'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {live ? (
          <p className="text-body">Les lecteurs verront la nouvelle version dans la seconde.</p>
        ) : (
          <RadioGroup
            label="Quand&nbsp;?"
            options={TIMING_OPTIONS}
            value={when}
            onChange={(event) => setWhen(event.target.value)}
          />
        )}
        {when === 'later' && (
          <FieldFrame id={id} label="Date et heure" hint="Heure de Paris.">
            <DateInput id={id} of="moment" value={day} onValue={setDay} />
          </FieldFrame>
        )}
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

type UnpublishConfirmProps = {
  row: Pick<ContentRow, 'title' | 'status' | 'path'>
  open: boolean
  onClose: () => void
  onConfirm: () => Promise<unknown>
}

export const UnpublishConfirm = ({ row, open, onClose, onConfirm }: UnpublishConfirmProps) => (
  <Confirm
    open={open}
    onOpenChange={onClose}
    title={row.status === 'scheduled' ? 'Annuler la publication\u00a0?' : 'Retirer ce contenu du site\u00a0?'}
    description={
      row.status === 'scheduled'
        ? `«\u00a0${row.title}\u00a0» redeviendra un brouillon.`
        : `«\u00a0${row.title}\u00a0» ne sera plus lisible, et ${row.path} ne mènera plus nulle part. Le texte est gardé\u00a0: vous pourrez le publier à nouveau.`
    }
    action={row.status === 'scheduled' ? 'Annuler la publication' : 'Retirer du site'}
    onConfirm={onConfirm}
  />
)
