import { DirectionProvider } from '@base-ui/react/direction-provider';
import { useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { CommandsContext } from '../commands/commands.ts';
import { HighlighterContext } from '../components/code/highlighter.ts';
import { DrawingsContext } from '../components/drawings/drawings.ts';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { FileActionsContext, type FileAction, type FileActions } from '../components/file-menu.tsx';
import { LanguageContext } from '../components/language.ts';
import { OpenLinkContext } from '../components/link.tsx';
import { MarkdownLexerContext } from '../components/markdown/page-lexer.ts';
import { ScriptsContext, scriptsOf } from '../components/visible-text.tsx';
import { StoresContext } from '../stores/stores.ts';
import { BrokenWindow } from './broken-window.tsx';
import type { App as AppParts } from './create-app.ts';
import { Shell } from './shell.tsx';

/** Hands the parts of the app down, and shows the window. */
export function App({ app, onReload }: { app: AppParts; onReload: () => void }) {
  // Another language draws the whole tree again from here, in its place: nothing that a person has open or typed is lost.
  useStore(app.services.stores.ui, (ui) => ui.spoken);
  return (
    <ErrorBoundary
      renderFailure={(reason) => (
        <BrokenWindow reason={reason} desktop={app.services.desktop} onReload={onReload} />
      )}
    >
      <Providers app={app}>
        <Shell services={app.services} />
      </Providers>
    </ErrorBoundary>
  );
}

const commandOf = {
  open: 'file/open',
  show: 'file/show',
  copyPath: 'file/copy-path',
} as const satisfies Record<FileAction, string>;

export function Providers({ app, children }: { app: AppParts; children: ReactNode }) {
  const { desktop } = app.services;
  const { run } = app.commands;
  const [files] = useState<FileActions>(() => ({
    offered: desktop ? ['open', 'show', 'copyPath'] : ['copyPath'],
    run: (action, path) => void run(commandOf[action], { path }),
  }));
  const language = useStore(app.services.stores.ui, (ui) => ui.spoken);
  const scripts = useMemo(() => scriptsOf([language, ...navigator.languages]), [language]);
  const openLink = desktop ? (url: string) => void desktop.openExternal(url) : null;
  return (
    <LanguageContext value={language}>
      <DirectionProvider direction={document.dir === 'rtl' ? 'rtl' : 'ltr'}>
        <StoresContext value={app.services.stores}>
          <CommandsContext value={app.commands}>
            <HighlighterContext value={app.highlighter}>
              <MarkdownLexerContext value={app.markdown}>
                <DrawingsContext value={app.drawings}>
                  <OpenLinkContext value={openLink}>
                    <FileActionsContext value={files}>
                      <ScriptsContext value={scripts}>{children}</ScriptsContext>
                    </FileActionsContext>
                  </OpenLinkContext>
                </DrawingsContext>
              </MarkdownLexerContext>
            </HighlighterContext>
          </CommandsContext>
        </StoresContext>
      </DirectionProvider>
    </LanguageContext>
  );
}
