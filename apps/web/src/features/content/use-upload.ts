import { content, type SiteImage } from '@voisol/contract/content'
import { useState } from 'react'
import { useAction } from '../../lib/queries.ts'
import { getErrorReason } from '../../lib/reason.ts'

const MAX_IMAGE_BYTES = content.addImage.upload
export const IMAGE_FILE_TYPES = '.png,.jpg,.jpeg,.webp,.avif,.gif'

/** Sends a picture; one that is too large is told before it is sent. */
export function useImageUpload(onDone: (image: SiteImage) => void) {
  const [problem, setProblem] = useState('')
  const add = useAction(content.addImage, [content.images])
  const send = (file: File) => {
    setProblem('')
    if (file.size > MAX_IMAGE_BYTES)
      return setProblem('Cette image dépasse 5\u00a0Mo\u00a0: réduisez-la, puis déposez-la à nouveau.')
    void add
      .run({ query: { name: file.name.slice(-200) }, upload: file })
      .then(onDone, (error: unknown) => setProblem(getErrorReason(error)))
  }
  return { send, problem, sending: add.isPending }
}
