; Asks about the data when a person removes Andiron. An update runs the old uninstaller and must never ask, and neither
; must whoever passes /S. The default keeps everything.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ${GetParameters} $R0
    ClearErrors
    ${GetOptions} $R0 "/S" $R1
    ${if} ${Errors}
      ${if} ${FileExists} "$LOCALAPPDATA\Andiron\*.*"
        MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Delete your Andiron data too?$\r$\n$\r$\nThat is every session, profile, memory and downloaded model in $LOCALAPPDATA\Andiron. This can't be undone." IDNO keepAndironData
        RMDir /r "$LOCALAPPDATA\Andiron"
        keepAndironData:
      ${endIf}
    ${endIf}
    RMDir /r "$LOCALAPPDATA\andiron-updater"
  ${endIf}
!macroend
