import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { useFileUpload } from './use-upload.ts'

type UploadDropProps = Pick<ReturnType<typeof useFileUpload>, 'sending' | 'problems' | 'stop'> & {
  accept?: string
  /** The most a file may weigh, in bytes. */
  most: number
  kinds: string
  several?: boolean
  onFiles: (files: File[]) => void
}

/** A place to drop files, how far they are, and why one was not taken. */
export const UploadDrop = ({ accept, most, kinds, several, onFiles, sending, problems, stop }: UploadDropProps) => (
  <div className="grid gap-4 [&>*]:min-w-0">
    <FileDrop
      accept={accept}
      label={several ? 'Choisir des fichiers' : 'Choisir un fichier'}
      hint={`ou déposez-${several ? 'les' : 'le'} ici\u00a0: ${kinds}, jusqu’à ${formatNumber(most / 2 ** 20)}\u00a0Mo${several ? ' chacun' : ''}.`}
      disabled={sending !== null}
      {...(several ? { onFiles } : { onFile: (file: File) => onFiles([file]) })}
    />
    {sending && (
      <div className="flex items-end gap-4">
        <div className="min-w-0 grow">
          <Progress label={`Envoi de ${sending.name}`} done={sending.done} />
        </div>
        <Button variant="quiet" size="small" onClick={stop}>
          Arrêter l’envoi
        </Button>
      </div>
    )}
    {problems.length > 0 && (
      <div role="alert" className="grid gap-1 text-body text-danger">
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    )}
  </div>
)
