import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { notifications } from '@voisol/contract/notifications'
import { useEffect, useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogClose } from '../../../components/dialog.tsx'
import { FieldFrame, Input } from '../../../components/input.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, parseNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import type { NotificationActions } from './notification-item.tsx'

const DEFAULT_DAYS = 30
const MAX_DAYS = 3650
const PAUSE_MS = 250

const parseDays = (text: string) => {
  const days = parseNumber(text)
  return days !== null && Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? days : null
}

/** Asked once typing pauses; what was known stays on screen meanwhile. */
function useArchivePreview(days: number | null, open: boolean) {
  const [debouncedDays, setDebouncedDays] = useState(days)
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedDays(days), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [days])
  return useQuery({
    ...query(notifications.archivePreview, { query: {}, body: { days: debouncedDays ?? DEFAULT_DAYS } }),
    enabled: open && debouncedDays !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

const ArchiveSummary = ({ preview, error }: { preview?: NotificationArchivePreview; error: Error | null }) => (
  <p role="status" className="mt-4 rounded-control bg-page p-3 text-body">
    {error ? explainError(error) : preview ? describeArchivePreview(preview, formatDate) : 'Comptage en cours…'}
  </p>
)

type Props = { open: boolean; onOpenChange: (open: boolean) => void; actions: NotificationActions }

/** Says how many, and from when to when, before anything moves. */
export function ArchiveOldDialog({ open, onOpenChange, actions }: Props) {
  const id = useId()
  const [text, setText] = useState(String(DEFAULT_DAYS))
  const days = parseDays(text)
  const { data, error } = useArchivePreview(days, open)
  const canArchiveNow = days !== null && data?.days === days && data.count > 0
  const archive = async () => {
    if (days !== null) await actions.archiveOld(days)
    onOpenChange(false)
  }
  return (
    <Dialog
      title="Archiver les anciennes notifications"
      width="narrow"
      open={open}
      onOpenChange={onOpenChange}
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Annuler</Button>
          </DialogClose>
          <Button disabled={!canArchiveNow} loading={actions.isArchiving} onClick={() => void archive()}>
            {canArchiveNow ? `Archiver ${formatCount(data.count, 'notification')}` : 'Archiver'}
          </Button>
        </>
      }
    >
      <FieldFrame
        id={id}
        label="Plus anciennes que (jours)"
        error={days === null ? `Indiquez un nombre de jours entre 1 et 3\u202f650, par exemple 30.` : undefined}
      >
        <Input
          id={id}
          inputMode="numeric"
          value={text}
          aria-invalid={days === null || undefined}
          aria-describedby={days === null ? `${id}-error` : undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </FieldFrame>
      {days !== null && <ArchiveSummary preview={data} error={error} />}
    </Dialog>
  )
}

type NotificationArchivePreview = EndpointReply<typeof notifications.archivePreview>

/** « 12 notifications, du 01/02/2026 au 30/04/2026, dont 2 non lues, seront archivées. » */
export function describeArchivePreview(
  { count, unread, oldest, newest, days }: NotificationArchivePreview,
  date: (at: string) => string,
): string {
  if (count === 0) return `Aucune notification n’a plus de ${formatCount(days, 'jour')}.`
  const range =
    oldest && newest
      ? date(oldest) === date(newest)
        ? `, du ${date(oldest)}`
        : `, du ${date(oldest)} au ${date(newest)}`
      : ''
  const unreadNote = unread ? `, dont ${formatCount(unread, 'non lue', 'non lues')}` : ''
  return `${formatCount(count, 'notification')}${range}${unreadNote}${range || unreadNote ? ',' : ''} ${count < 2 ? 'sera archivée' : 'seront archivées'}.`
}
