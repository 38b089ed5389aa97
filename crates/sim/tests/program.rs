//! The simulators as a program: what it prints, how it responds, and that it stops when asked to.

#[cfg(test)]
mod program {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::{Child, Command, Stdio};

    fn start(arguments: &[&str]) -> (Child, String) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retouch-sim"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on http://").unwrap().trim_end().to_owned();
        (program, address)
    }

    fn get(address: &str, path: &str, key: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: sim\r\nconnection: close\r\n");
        write!(stream, "{head}authorization: Bearer {key}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn it_says_where_it_listens_and_ends_when_told() {
        let (mut program, address) = start(&["--key", "sk-right"]);
        assert!(get(&address, "/openai/v1/models", "sk-right").starts_with("HTTP/1.1 200"));
        assert!(get(&address, "/openai/v1/models", "sk-wrong").starts_with("HTTP/1.1 401"));
        // An open connection does not keep the program running.
        let _open = TcpStream::connect(&address).unwrap();
        let id = program.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(program.wait().unwrap().success());
        assert!(TcpStream::connect(&address).is_err());
    }

    #[test]
    fn what_it_cannot_do_is_said() {
        let run = |arguments: &[&str]| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_retouch-sim"));
            let output = program.args(arguments).stdin(Stdio::null()).output().unwrap();
            (output.status.success(), String::from_utf8(output.stderr).unwrap())
        };
        let (success, said) = run(&["--size", "64"]);
        assert!(!success && said.contains("512x512"), "{said}");
        let (success, said) = run(&["--picture", "no/such/file.png"]);
        assert!(!success && said.starts_with("retouch-sim: "), "{said}");
    }
}
