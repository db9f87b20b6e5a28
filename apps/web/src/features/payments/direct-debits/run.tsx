import { useQuery } from '@tanstack/react-query'
import { type Debit, type DebitRunDetail, debits } from '@voisol/contract/debits'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { download } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatLongDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const DEBIT_STATE_BADGES: Record<Debit['state'], { label: string; tone: Tone }> = {
  planned: { label: 'Annoncé', tone: 'info' },
  sent: { label: 'Attendu', tone: 'warning' },
  collected: { label: 'Encaissé', tone: 'success' },
  returned: { label: 'Rejeté', tone: 'danger' },
  cancelled: { label: 'Annulé', tone: 'neutral' },
}

function DebitItem({ debit }: { debit: Debit }) {
  const { label, tone } = DEBIT_STATE_BADGES[debit.state]
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto_7rem] sm:items-center">
      <span className="min-w-0">
        <span className="block font-medium">{debit.participant}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {debit.invoices.map(({ number }) => number).join(', ')} — mandat {debit.rum}, compte •• {debit.ibanEnd}
        </span>
        {debit.returned && <span className="block text-[0.8125rem] text-danger">{debit.returned}</span>}
        {!debit.noticedAt && debit.state === 'planned' && (
          <span className="block text-[0.8125rem] text-warning">
            Sans adresse e-mail&#160;: à annoncer par courrier.
          </span>
        )}
      </span>
      <Badge tone={tone}>{label}</Badge>
      <strong className="tabular whitespace-nowrap sm:text-right">{formatMoney(debit.amount)}</strong>
    </li>
  )
}

const showFailure = (title: string) => (error: unknown) =>
  void toast({ title, description: explainError(error), variant: 'destructive' })

function DebitRunActions({ run }: { run: DebitRunDetail }) {
  const dependentQueries = [debits.list, debits.get, debits.plan]
  const prepare = useAction(debits.prepare, dependentQueries)
  const sent = useAction(debits.sent, dependentQueries)
  const cancel = useAction(debits.cancel, dependentQueries)
  const input = { params: { id: run.id }, body: { version: run.version } }
  const isCancellable = run.state === 'announced' || run.state === 'filed'
  return (
    <>
      {isCancellable && (
        <Confirm
          title="Annuler ce prélèvement&#160;?"
          description="Ceux qui l’attendaient sont prévenus par e-mail, et leurs factures restent à payer."
          action="Annuler le prélèvement"
          onConfirm={() => cancel.run(input)}
          trigger={<Button variant="quiet">Annuler</Button>}
        />
      )}
      {run.state === 'announced' && (
        <Button
          loading={prepare.isPending}
          onClick={() => prepare.run(input).catch(showFailure('Fichier non préparé'))}
        >
          Préparer le fichier
        </Button>
      )}
      {run.state === 'filed' && (
        <Button loading={sent.isPending} onClick={() => sent.run(input).catch(showFailure('Envoi non noté'))}>
          Le fichier est à la banque
        </Button>
      )}
    </>
  )
}

function DebitRunContent({ run }: { run: DebitRunDetail }) {
  const can = useCan()
  const filed = run.state === 'filed' || run.state === 'sent'
  const downloadFile = () =>
    download(debits.file, { params: { id: run.id } }).catch(showFailure('Téléchargement impossible'))
  return (
    <div className="grid gap-4">
      <p className="text-body text-ink-soft">
        {run.creditor}, {run.account}. {formatCount(run.debits, 'débit')},{' '}
        <strong className="text-ink">{formatMoney(run.total)}</strong>
        {run.state === 'announced' || run.state === 'filed'
          ? `\u00a0; fichier à la banque au plus tard le ${formatDate(run.submitBy)}.`
          : '.'}{' '}
        Référence {run.messageId}.
      </p>
      <ul className="divide-y divide-line rounded-card border border-line">
        {run.items.map((debit) => (
          <DebitItem key={debit.id} debit={debit} />
        ))}
      </ul>
      {/* Stays at hand under a long list, which scrolls with its window. */}
      <div className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap justify-end gap-2 border-t border-line bg-card px-6 py-4">
        {filed && (
          <Button variant="secondary" onClick={downloadFile}>
            Télécharger le fichier
          </Button>
        )}
        {can(debits.prepare) && <DebitRunActions run={run} />}
      </div>
    </div>
  )
}

/** A run, its debits, and the next step it waits for. */
export default function DebitRunDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(debits.get, { params: { id } }))
  const title = data ? `Prélèvement du ${formatLongDate(data.collectionOn)}` : 'Prélèvement'
  return (
    <Dialog title={title} width="wide" open onOpenChange={onClose}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <DebitRunContent run={data} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}
