import type { SiteImage } from '@voisol/contract/content'
import { FileDrop } from '../../ui/file-drop.tsx'
import { IMAGE_FILE_TYPES, useImageUpload } from './use-upload.ts'

export function ImageDrop({ onDone }: { onDone: (image: SiteImage) => void }) {
  const { send, problem, sending } = useImageUpload(onDone)
  return (
    <div className="grid gap-2">
      <FileDrop
        accept={IMAGE_FILE_TYPES}
        label={sending ? 'Envoi en cours…' : 'Choisir un fichier'}
        hint="ou déposez-le ici. PNG, JPEG, WebP, AVIF ou GIF, 5&nbsp;Mo au plus."
        disabled={sending}
        onFile={send}
      />
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
