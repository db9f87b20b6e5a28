import { type ArchivePreview, backups, type CompanyCopy } from '@voisol/contract/backups'
import type { ReauthenticationProof } from '@voisol/contract/reauthentication'
import { useState } from 'react'
import { z } from 'zod'
import { only } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { date, number, plural } from '../../lib/format.ts'
import { canUsePasskeys, proveByPasskey } from '../../lib/passkey.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { begun, failed } from './act.ts'
import { fileSize } from './words.ts'

const ProofForm = z.object({ password: z.string().max(1024) })

function Origin({ preview }: { preview: ArchivePreview }) {
  const { company, madeOn, version, signedBy, files, fileBytes } = preview
  return (
    <>
      <FactList
        facts={[
          { label: 'Organisation', value: company || '—' },
          { label: 'Faite le', value: madeOn ? `${date(madeOn)}, Voisol ${version}` : `Voisol ${version}` },
          { label: 'Signature', value: signedBy ? `reconnue\u00a0: ${signedBy}` : 'non reconnue' },
          { label: 'Fichiers', value: files ? `${plural(files, 'fichier')}, ${fileSize(fileBytes)}` : 'aucun' },
        ]}
      />
      {!signedBy && (
        <p role="note" className="rounded-card border border-warning bg-warning-soft p-4 text-body">
          Cette archive ne porte pas la signature d’une installation de confiance. Seuls les participants, les points de
          livraison et leurs courbes sont repris, comme par un import de fichier. Pour reprendre le reste, demandez à
          l’exploitant d’ajouter la clé de l’installation d’origine.
        </p>
      )}
    </>
  )
}

const ImportedTables = ({ taken }: Pick<ArchivePreview, 'taken'>) => (
  <section className="grid gap-2">
    <h3 className="font-semibold">Ce qui est repris</h3>
    {taken.length === 0 ? (
      <p className="text-body text-ink-soft">Rien de cette archive ne peut être repris ici.</p>
    ) : (
      <dl className="grid gap-x-8 text-body sm:grid-cols-2">
        {taken.map(({ label, rows }) => (
          <div key={label} className="flex justify-between gap-4 border-b border-line py-1.5">
            <dt>{label}</dt>
            <dd className="tabular font-medium">{number(rows)}</dd>
          </div>
        ))}
      </dl>
    )}
  </section>
)

type SkippedTable = ArchivePreview['left'][number]
const counted = ({ label, rows }: SkippedTable) => (rows === null ? label : `${label} (${number(rows)})`)

/** One sentence for all that stays behind for the same reason. */
const SkippedTables = ({ left }: Pick<ArchivePreview, 'left'>) =>
  left.length > 0 && (
    <section className="grid gap-2">
      <h3 className="font-semibold">Ce qui reste dans l’archive</h3>
      <ul className="grid gap-2 text-body">
        {[...new Set(left.map(({ why }) => why))].map((reason) => (
          <li key={reason}>
            <span className="font-medium">
              {left
                .filter(({ why }) => why === reason)
                .map(counted)
                .join(', ')}
            </span>
            <span className="block text-[0.8125rem] text-ink-soft">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )

const Remarks = ({ remarks }: Pick<ArchivePreview, 'remarks'>) =>
  remarks.length > 0 && (
    <ul className="grid list-disc gap-1 pl-5 text-body">
      {remarks.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  )

/** What was uploaded, shown whole before anything of it is written; who confirms proves again who they are. */
function ConfirmForm({ copy, onDone }: { copy: CompanyCopy; onDone: () => void }) {
  const confirm = useAction(backups.confirm, [backups.list])
  const send = async (body: ReauthenticationProof) => {
    await confirm.run({ params: { id: copy.id }, body })
    begun('La reprise est en cours')()
    onDone()
  }
  const form = useSchemaForm(ProofForm, {
    defaults: { password: '' },
    save: ({ password }) => send(password ? { password } : {}),
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 border-t border-line pt-5">
      <FormErrors form={form} />
      <Field
        form={form}
        name="password"
        label="Mot de passe"
        hint="Laissez vide si vous venez d’entrer par la connexion d’entreprise."
      >
        {(control) => <PasswordInput {...control} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        {canUsePasskeys() && (
          <Button
            variant="secondary"
            onClick={() =>
              void proveByPasskey()
                .then((passkey) => send({ passkey }))
                .catch(failed)
            }
          >
            Confirmer par une clé d’accès
          </Button>
        )}
        <Button type="submit" loading={form.formState.isSubmitting}>
          Reprendre cette copie
        </Button>
      </div>
    </form>
  )
}

export const ReviewImport = only(backups.confirm, ({ copy }: { copy: CompanyCopy }) => {
  const [open, setOpen] = useState(false)
  const { preview } = copy
  if (!preview) return null
  return (
    <>
      <Button size="small" aria-label={`Voir ce que ${copy.name} apporterait`} onClick={() => setOpen(true)}>
        Voir et confirmer
      </Button>
      <Dialog
        title={`Reprendre ${copy.name}`}
        description="Rien n’est encore écrit. Tout ce qui suit est repris ensemble, ou rien."
        width="wide"
        open={open}
        onOpenChange={setOpen}
      >
        <div className="grid gap-6 [&>*]:min-w-0">
          <Origin preview={preview} />
          <ImportedTables taken={preview.taken} />
          <Remarks remarks={preview.remarks} />
          <SkippedTables left={preview.left} />
          {preview.taken.length > 0 && <ConfirmForm copy={copy} onDone={() => setOpen(false)} />}
        </div>
      </Dialog>
    </>
  )
})
