import { backups, MAX_ARCHIVE_BYTES } from '@voisol/contract/backups'
import { withAccess } from '../../lib/can.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Card } from '../../ui/card.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { notifyStarted, showFailure } from './act.ts'

const LIMIT = `${formatNumber(MAX_ARCHIVE_BYTES / 2 ** 20)}\u00a0Mo`

/** Uploads the copy of another company; only an empty company may, so that the data of two are never mixed. */
export const ImportCopy = withAccess(backups.take, () => {
  const upload = useAction(backups.take, [backups.list])
  const send = (file: File) => {
    if (file.size > MAX_ARCHIVE_BYTES)
      return void toast({
        title: 'Copie trop grande',
        description: `Au-delà de ${LIMIT}, demandez la reprise à l’exploitant de l’installation.`,
        variant: 'destructive',
      })
    void upload
      .run({ query: { name: file.name }, upload: file })
      .then(notifyStarted('La copie est en cours de lecture'), showFailure)
  }
  return (
    <Card
      title="Reprendre une copie"
      description="Votre organisation est vide&nbsp;: elle peut recevoir la copie d’une autre. Voisol la lit d’abord et vous montre ce qu’elle apporterait&nbsp;; rien n’est enregistré avant votre confirmation."
    >
      <FileDrop
        accept=".zip"
        label="Choisir une copie"
        hint={upload.isPending ? 'Envoi en cours…' : `ou déposez ici l’archive ZIP, jusqu’à ${LIMIT}.`}
        disabled={upload.isPending}
        onFile={send}
      />
    </Card>
  )
})
