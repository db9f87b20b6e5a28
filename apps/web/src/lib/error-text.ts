/** The sentence to show for a failure: the server's own when it gave one. */
export function explainError(error: unknown): string {
  if (error instanceof Error && 'detail' in error && typeof error.detail === 'string') return error.detail
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'Le serveur met trop de temps à répondre. Réessayez dans un instant.'
  return 'La connexion au serveur a échoué. Vérifiez votre réseau, puis réessayez.'
}
