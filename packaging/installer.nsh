; `andiron` in a terminal: a script in the folder of each user's own programs, which Windows has in everybody's PATH. A batch
; file waits for a program with windows, and a terminal alone does not.
!macro customInstall
  CreateDirectory "$LOCALAPPDATA\Microsoft\WindowsApps"
  ; A batch file is read in another encoding than this writes, so the name of the user must not stand in it.
  StrLen $R2 "$LOCALAPPDATA"
  StrCpy $R3 "$INSTDIR" $R2
  ${if} $R3 == "$LOCALAPPDATA"
    StrCpy $R3 "$INSTDIR" "" $R2
    StrCpy $R3 "%LOCALAPPDATA%$R3"
  ${else}
    StrCpy $R3 "$INSTDIR"
  ${endIf}
  ClearErrors
  FileOpen $R4 "$LOCALAPPDATA\Microsoft\WindowsApps\andiron.cmd" w
  ${ifNot} ${Errors}
    FileWrite $R4 '@echo off$\r$\n"$R3\${APP_EXECUTABLE_FILENAME}" %*$\r$\n'
    FileClose $R4
  ${endIf}
!macroend

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
    Delete "$LOCALAPPDATA\Microsoft\WindowsApps\andiron.cmd"
  ${endIf}
!macroend
