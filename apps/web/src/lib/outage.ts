import { explainError } from './explain.ts'
import { toast } from './toast.ts'

let outageNotified = false

/** The server speaks again: true where it had been told that it did not. */
export function clearOutage(): boolean {
  const wasNotified = outageNotified
  outageNotified = false
  return wasNotified
}

/** A server that answered that it failed has its own sentence; silence is not that of one figure, but of all. */
const getOutageMessage = (error: unknown) =>
  error instanceof Error && 'detail' in error
    ? {
        title: 'Ces données n’ont pas pu être rafraîchies',
        description: `${explainError(error)} Celles d’avant restent affichées.`,
      }
    : {
        title: 'Le serveur ne répond plus',
        description: 'Ce qui est affiché n’est plus à jour. Vérifiez votre réseau\u00a0; la suite viendra d’elle-même.',
      }

/** Said once, however many figures a screen asks for, and however often. */
export function notifyOutage(error: unknown) {
  if (outageNotified) return
  outageNotified = true
  toast({ ...getOutageMessage(error), variant: 'destructive', duration: 10_000 })
}
