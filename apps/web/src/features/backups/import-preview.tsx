import { type ArchivePreview, backups, type CompanyCopy } from '@voisol/contract/backups'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { SummaryStrip } from '../../ui/detail-screen.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Reauthentication, reauthenticationFields, useReauthenticationForm } from '../../ui/reauthentication.tsx'
import { notifyStarted } from './act.ts'
import { formatFileSize } from './words.ts'

const ProofForm = z.object(reauthenticationFields)
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Origin({ preview }: { preview: ArchivePreview }) {
  const { company, madeOn, version, signedBy, files, fileBytes } = preview
  return (
    <>
      <SummaryStrip
        facts={[
          { label: 'Organisation', value: company || '—' },
          {
            label: 'Faite',
            value: [madeOn && `le ${formatDate(madeOn)}`, `avec Voisol ${version}`].filter(Boolean).join(', '),
          },
          { label: 'Signée par', value: signedBy ? capitalized(signedBy) : 'Aucune installation de confiance' },
          ...(files ? [{ label: 'Fichiers', value: `${formatNumber(files)} (${formatFileSize(fileBytes)})` }] : []),
        ]}
      />
      {!signedBy && (
        <p role="note" className="rounded-card border border-warning bg-warning-soft p-4 text-body">
          Cette archive ne porte pas la signature d’une installation de confiance. Seuls les participants, les points de
          livraison et leurs courbes sont repris, comme par un import de fichier. Pour reprendre aussi le reste,
          demandez à l’exploitant d’ajouter la clé de l’installation d’origine, puis déposez-la de nouveau.
        </p>
      )}
    </>
  )
}

const Remarks = ({ remarks }: Pick<ArchivePreview, 'remarks'>) =>
  remarks.length > 0 && (
    <section className="grid gap-2">
      <h3 className="font-semibold">À savoir</h3>
      <ul className="grid list-disc gap-1 pl-5 text-body">
        {remarks.map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
    </section>
  )

const Counts = ({ tables }: { tables: ArchivePreview['taken'] }) => (
  <dl className="grid gap-x-8 text-body sm:grid-cols-2">
    {tables.map(({ label, rows }) => (
      <div key={label} className="flex justify-between gap-4 border-b border-line py-1.5">
        <dt>{label}</dt>
        <dd className="tabular font-medium">{formatNumber(rows)}</dd>
      </div>
    ))}
  </dl>
)

/** The server names first what people look for; a list not much longer than that is shown whole. */
const MAIN_TABLES = 6
const MAX_SHOWN_WHOLE = 8

function ImportedTables({ taken }: Pick<ArchivePreview, 'taken'>) {
  const shown = taken.length > MAX_SHOWN_WHOLE ? MAIN_TABLES : taken.length
  const rest = taken.slice(shown)
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Ce qui sera repris</h3>
      {taken.length === 0 ? (
        <p className="text-body text-ink-soft">Rien de cette archive ne peut être repris ici.</p>
      ) : (
        <Counts tables={taken.slice(0, shown)} />
      )}
      {rest.length > 0 && (
        <details className="text-body">
          <summary className="min-h-6 cursor-pointer py-1 font-medium text-link">
            {`Et ${formatNumber(rest.length)} autres sortes de données`}
          </summary>
          <Counts tables={rest} />
        </details>
      )}
    </section>
  )
}

type SkippedTable = ArchivePreview['left'][number]
/** More kinds of data than that for one reason are a list under it, and not a title. */
const MAX_TITLE_LABELS = 3

function SkippedGroup({ reason, tables }: { reason: string; tables: SkippedTable[] }) {
  const labels = tables.map(({ label }) => label).join(', ')
  const isLong = tables.length > MAX_TITLE_LABELS
  const rows = tables.every((table) => table.rows !== null)
    ? tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)
    : 0
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2">
      <span className="font-medium">{isLong ? reason : labels}</span>
      {rows > 0 && (
        <span className="tabular text-ink-soft">{`${formatNumber(rows)} ${rows > 1 ? 'lignes' : 'ligne'}`}</span>
      )}
      <span className="col-span-full text-[0.8125rem] text-ink-soft">{isLong ? labels : reason}</span>
    </li>
  )
}

const SkippedTables = ({ left }: Pick<ArchivePreview, 'left'>) =>
  left.length > 0 && (
    <section className="grid gap-2">
      <h3 className="font-semibold">Ce qui reste dans l’archive</h3>
      <ul className="text-body">
        {[...Map.groupBy(left, ({ why }) => why)].map(([reason, tables]) => (
          <SkippedGroup key={reason} reason={reason} tables={tables} />
        ))}
      </ul>
    </section>
  )

/** What was uploaded, shown whole before anything of it is written; who confirms proves again who they are. */
function ConfirmForm({ copy, onDone }: { copy: CompanyCopy; onDone: () => void }) {
  const confirm = useAction(backups.confirm, [backups.list])
  const form = useReauthenticationForm(ProofForm, {
    defaults: { password: '' },
    save: async (_, body) => {
      await confirm.run({ params: { id: copy.id }, body })
      notifyStarted('La reprise est en cours')()
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Reauthentication form={form} action="Reprendre cette copie" />
    </form>
  )
}

export const ReviewImport = withAccess(backups.confirm, ({ copy }: { copy: CompanyCopy }) => {
  const [open, setOpen] = useState(false)
  const { preview } = copy
  if (!preview) return null
  return (
    <>
      <Button
        size="small"
        className="whitespace-nowrap"
        aria-label={`Voir ce que ${copy.name} apporterait`}
        onClick={() => setOpen(true)}
      >
        Voir et confirmer
      </Button>
      <Dialog
        title={`Reprendre ${copy.name}`}
        description="Rien n’est encore enregistré. À votre confirmation, tout ce qui est annoncé ici est repris, ou rien."
        width="wide"
        open={open}
        onOpenChange={setOpen}
      >
        <div className="grid gap-6 [&>*]:min-w-0">
          <section
            aria-label="Ce que l’archive apporterait"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the dialog opens at what is to be read, and scrolls with the keyboard
            tabIndex={0}
            className="grid gap-6 rounded-card outline-offset-4 [&>*]:min-w-0"
          >
            <Origin preview={preview} />
            <Remarks remarks={preview.remarks} />
            <ImportedTables taken={preview.taken} />
            <SkippedTables left={preview.left} />
          </section>
          {preview.taken.length > 0 && <ConfirmForm copy={copy} onDone={() => setOpen(false)} />}
        </div>
      </Dialog>
    </>
  )
})
