import { type RegulatoryExport, regulatory, SENDING_CHANNEL_LABELS } from '@voisol/contract/regulatory'
import Download from 'lucide-react/icons/download'
import { Suspense, useState } from 'react'
import { download } from '../../lib/call.ts'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDate } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { formatMonthOrYear } from './period.ts'

const SendingDialog = lazy(() => import('./sending.tsx'))
type Props = { version: RegulatoryExport }

function VersionFiles({ version: { id, file, paper } }: Props) {
  const downloadFile = (part: 'table' | 'paper') =>
    void download(regulatory.file, { params: { id }, query: { part } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  const kind = file.name.split('.').at(-1)?.toUpperCase() ?? 'Fichier'
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={<Download aria-hidden="true" />}
        aria-label={`${file.name}, télécharger`}
        onClick={() => downloadFile('table')}
      >
        {kind}
      </Button>
      {paper && (
        <Button
          variant="quiet"
          size="small"
          icon={<Download aria-hidden="true" />}
          aria-label={`${paper.name}, télécharger`}
          onClick={() => downloadFile('paper')}
        >
          PDF
        </Button>
      )}
    </>
  )
}

/** A version with its files and where it went; what was said of a sending stays. */
export function VersionItem({ version }: Props) {
  const [sending, setSending] = useState(false)
  const can = useCan()
  const { number, period, rows, madeAt, madeBy, sendings } = version
  return (
    <li className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">
          <span className="block font-medium">
            {[`Version ${number}`, formatMonthOrYear(period)].filter(Boolean).join(', ')}
          </span>
          <span className="tabular block text-[0.8125rem] text-ink-soft">
            {`${formatDate(madeAt)}, ${madeBy} · ${rows} ligne${rows > 1 ? 's' : ''}`}
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-1">
          <VersionFiles version={version} />
          {can(regulatory.send) && (
            <Button
              variant="secondary"
              size="small"
              aria-label={`Noter l’envoi de la version ${number}`}
              onClick={() => setSending(true)}
            >
              Noter un envoi
            </Button>
          )}
        </span>
      </div>
      {sendings.map(({ id, sentOn, to, channel, note, by }) => (
        <p key={id} className="tabular text-[0.8125rem] text-ink-soft">
          {`Envoyée le ${formatDate(sentOn)} à ${to}, ${SENDING_CHANNEL_LABELS[channel].toLowerCase()} (${by})${note && `\u00a0: ${note}`}`}
        </p>
      ))}
      {sending && (
        <Suspense>
          <SendingDialog version={version} onClose={() => setSending(false)} />
        </Suspense>
      )}
    </li>
  )
}
