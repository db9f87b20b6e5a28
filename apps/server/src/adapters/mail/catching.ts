import { StartupError } from '../../startup-error.ts'

/** Mail is caught only in development: the packages for it are dev dependencies, loaded on demand. */
export async function loadDevDependency<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new StartupError(
      'Sans SMTP_URL, les messages sont capturés par smtp-server et postal-mime, qui ne sont pas installés\u00a0: ' +
        'installez les dépendances de développement (npm ci), ou donnez SMTP_URL.',
      { cause: error },
    )
  }
}

export const loadSmtpServer = () => loadDevDependency(() => import('smtp-server'))
export const loadMailParser = () => loadDevDependency(() => import('postal-mime'))
