import { backups, MOST_IMPORT } from '@voisol/contract/backups'
import { only } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { FileDrop } from '../../ui/file-drop.tsx'
import { begun, failed } from './act.ts'
import { fileSize } from './words.ts'

/** Uploads the copy of another company; only an empty company may, so that the data of two are never mixed. */
export const ImportCopy = only(backups.take, () => {
  const upload = useAction(backups.take, [backups.list])
  const send = (file: File) => {
    if (file.size > MOST_IMPORT)
      return void toast({
        title: 'Copie trop grande',
        description: `Au-delà de ${fileSize(MOST_IMPORT)}, demandez la reprise à qui tient l’installation.`,
        variant: 'destructive',
      })
    void upload
      .run({ query: { name: file.name }, upload: file })
      .then(begun('La copie est en cours de lecture'), failed)
  }
  return (
    <section className="mt-6 grid gap-3 border-t border-line pt-5">
      <div>
        <h3 className="font-semibold">Reprendre une copie</h3>
        <p className="text-body text-ink-soft">
          Votre organisation est vide&nbsp;: elle peut recevoir la copie d’une autre. Voisol la lit d’abord et vous
          montre ce qu’elle apporterait&nbsp;; rien n’est écrit avant votre confirmation.
        </p>
      </div>
      <FileDrop
        accept=".zip"
        label="Choisir une copie"
        hint={`ou déposez ici l’archive ZIP, jusqu’à ${fileSize(MOST_IMPORT)}.`}
        disabled={upload.isPending}
        onFile={send}
      />
    </section>
  )
})
